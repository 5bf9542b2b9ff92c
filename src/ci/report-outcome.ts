import type { ApplyReport, Outcome } from '../domain/change.ts';
import { EXIT } from '../domain/exit-codes.ts';
import type { HeraldError } from '../domain/herald-error.ts';
import { formatAddress } from '../domain/resource.ts';
import type { CommitStatus } from '../provider/provider.ts';
import { countBytes, markdownLink, markdownName, markdownProse } from '../render/markdown-escape.ts';
import { countOutcomes } from '../render/report-text.ts';
import { CHANGE_WORDS, count, nameOutcome, OUTCOME_WORDS } from '../render/wording.ts';
import { drawFailure } from './comment.ts';
import { keepComment, type Say, setStatus, tryToReport } from './post.ts';
import type { ApplyPlace, Reviewed } from './reviews.ts';

/** How an apply ended, for its status, its comments and the summary of its job. */
interface ApplyEnd {
  readonly state: CommitStatus['state'];
  /** For the status: `2 applied, 1 failed`. */
  readonly description: string;
  /** The merged pull requests. */
  readonly numbers: readonly number[];
  /** Draws it in at most so many bytes. */
  readonly draw: (bytes: number) => string;
}

/** The commit that is applied, and the page of the run; null if there is none. */
interface ApplyRun {
  readonly commit: string;
  readonly url: string | null;
}

/**
 * Reports the end of an apply: as the status of the commit, and in one comment of each pull request, next to that of its plan. If the
 * provider fails, the apply still counts.
 */
export async function reportEnd(
  say: Say,
  { provider, commit, folder, workspace }: ApplyPlace,
  { url }: ApplyRun,
  end: ApplyEnd,
): Promise<void> {
  if (provider === null) return;
  await tryToReport(say, 'The status of the commit', () =>
    setStatus(provider, { commit, folder, job: 'apply', url }, end),
  );
  const marker = `<!-- herald-apply:${workspace} -->`;
  const body = `${marker}\n${end.draw(provider.bodyMax - countBytes([marker]))}`;
  for (const number of end.numbers)
    await tryToReport(say, `The outcome on pull request ${number}`, () =>
      keepComment(provider, number, marker, body),
    );
}

/** The end of a run that made a report. */
export function endApplied(
  report: ApplyReport,
  reviewed: readonly Reviewed[],
  { run, isDone }: { readonly run: ApplyRun; readonly isDone: boolean },
): ApplyEnd {
  const left = report.outcomes.filter(needsPerson).length;
  const what = left === 0 ? 'Applied' : `${count(left, 'change was', 'changes were')} not applied`;
  return {
    state: isDone ? 'success' : 'failure',
    description: countOutcomes(report),
    numbers: listNumbers(reviewed),
    draw: (bytes) => drawOutcomes(report, `### ${what} ${drawRun(run)}`, bytes),
  };
}

/** The end of a run that was refused as a whole, for the pull requests of the reviews, or those that the refusal names. */
export function endRefused(
  failure: HeraldError,
  reviewed: readonly Reviewed[] | null,
  run: ApplyRun,
): ApplyEnd {
  const { pull_requests: named = [] } = (failure.details ?? {}) as {
    readonly pull_requests?: readonly number[];
  };
  return {
    state: failure.exit === EXIT.blocked ? 'failure' : 'error',
    description: `not applied: ${failure.message}`,
    numbers: reviewed === null ? named : listNumbers(reviewed),
    draw: () => `### Not applied ${drawRun(run)}\n\n${drawFailure(failure)}`,
  };
}

function listNumbers(reviewed: readonly Reviewed[]): readonly number[] {
  return reviewed.flatMap(({ pull }) => pull?.number ?? []);
}

/** What may need a person comes first, because a long list is cut. */
const NEEDS_PERSON: readonly Outcome['outcome'][] = ['unknown', 'failed', 'missed', 'not_attempted'];

function needsPerson({ outcome }: Outcome): boolean {
  return NEEDS_PERSON.includes(outcome);
}

/** Space for the line that counts the rest. */
const REST_BYTES = 100;

/** A table with the ids, and why something was not done. */
function drawOutcomes({ outcomes, already_done: done = [] }: ApplyReport, title: string, bytes: number) {
  const changed = outcomes.filter(
    ({ outcome }) => outcome !== 'unchanged' && !NEEDS_PERSON.includes(outcome),
  );
  const rows = [
    ...NEEDS_PERSON.flatMap((kind) => outcomes.filter(({ outcome }) => outcome === kind)).map(drawRow),
    ...changed.map(drawRow),
    ...done.map(({ address, action }) =>
      drawCells([
        'already done',
        action === null ? '' : CHANGE_WORDS[action].label,
        name({ address }),
        '',
        '',
      ]),
    ),
  ];
  const head = ['| outcome | change | resource | id | message |', '| --- | --- | --- | --- | --- |'];
  let space = bytes - countBytes([title, '', ...head]) - REST_BYTES;
  const drawn = rows.filter((row) => {
    space -= countBytes([row]);
    return space >= 0;
  });
  const left = rows.length - drawn.length;
  return [
    title,
    '',
    ...(rows.length === 0 ? ['Nothing was left to do.'] : [...head, ...drawn]),
    ...(left > 0 ? ['', `And ${left} more.`] : []),
  ].join('\n');
}

function drawRow(outcome: Outcome): string {
  return drawCells([
    OUTCOME_WORDS[nameOutcome(outcome)].counted,
    CHANGE_WORDS[outcome.action].label,
    name(outcome),
    outcome.live_id === null ? '' : markdownProse(outcome.live_id),
    needsPerson(outcome) ? markdownProse(outcome.message) : '',
  ]);
}

function drawCells(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function name({ address }: Pick<Outcome, 'address'>): string {
  return markdownName(formatAddress(address));
}

function drawRun({ commit, url }: ApplyRun): string {
  return `at ${commit.slice(0, 12)}${url === null ? '' : ` by ${markdownLink('this run', url)}`}`;
}
