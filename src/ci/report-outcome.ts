import type { ApplyReport, Outcome } from '../domain/change.ts';
import { EXIT } from '../domain/exit-codes.ts';
import type { HeraldError } from '../domain/herald-error.ts';
import { formatAddress } from '../domain/resource.ts';
import { selectAddresses } from '../plan/targets.ts';
import type { CommitStatus } from '../provider/provider.ts';
import { countBytes, markdownLink, markdownName, markdownProse } from '../render/markdown-escape.ts';
import { CHANGE_WORDS, count, nameOutcome, OUTCOME_WORDS } from '../render/wording.ts';
import { drawFailure } from './comment.ts';
import { keepComment, type Say, setStatus, tryToReport } from './post.ts';
import type { ApplyPlace, Reviewed } from './reviews.ts';

/** How an apply ended, for its status and its comments. */
interface ApplyEnd {
  readonly state: CommitStatus['state'];
  /** For the status: `2 applied, 1 not attempted`. */
  readonly description: string;
  /** The page of the run; null if there is none. */
  readonly url: string | null;
  /** The merged pull requests, each with what to tell it in at most so many bytes. */
  readonly tell: readonly { readonly number: number; readonly draw: (bytes: number) => string }[];
}

/**
 * Reports the end of an apply: as the status of the commit, and in one comment of each pull request, next to that of its plan. If the
 * provider fails, the apply still counts.
 */
export async function reportEnd(say: Say, place: ApplyPlace, end: ApplyEnd): Promise<void> {
  const { provider, commit, folder, workspace } = place;
  if (provider === null) return;
  await tryToReport(say, 'The status of the commit', () =>
    setStatus(provider, { commit, folder, job: 'apply', url: end.url }, end),
  );
  const marker = `<!-- herald-apply:${workspace} -->`;
  for (const { number, draw } of end.tell)
    await tryToReport(say, `The outcome on pull request ${number}`, async () => {
      const body = `${marker}\n${draw(provider.bodyMax - countBytes([marker]))}`;
      await keepComment(provider, number, marker, body);
    });
}

/** The commit that is applied, and the page of the run; null if there is none. */
interface ApplyRun {
  readonly commit: string;
  readonly url: string | null;
}

/** The end of a run that made a report. */
export function endApplied(
  report: ApplyReport,
  all: readonly Reviewed[],
  { run, isDone }: { readonly run: ApplyRun; readonly isDone: boolean },
): ApplyEnd {
  return {
    state: isDone ? 'success' : 'failure',
    description: countOutcomes(report),
    url: run.url,
    tell: all.flatMap((one) => {
      const own = ownPart(report, one, all);
      const draw = (bytes: number) => drawOutcomes(own, drawTitle(own, run), bytes);
      return one.pull === null ? [] : [{ number: one.pull.number, draw }];
    }),
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
  const numbers = reviewed === null ? named : reviewed.flatMap(({ pull }) => pull?.number ?? []);
  const draw = () => `### Not applied ${drawRun(run)}\n\n${drawFailure(failure)}`;
  return {
    state: failure.exit === EXIT.blocked ? 'failure' : 'error',
    description: `not applied: ${failure.message}`,
    url: run.url,
    tell: numbers.map((number) => ({ number, draw })),
  };
}

/** What is reported on one pull request: what its plan is about, and what no plan of this run is about. */
function ownPart(report: ApplyReport, own: Reviewed, all: readonly Reviewed[]): ApplyReport {
  const [mine, any] = [[own], all].map((some) => some.map(({ saved }) => selectAddresses(saved)));
  const isOwn = ({ address }: Pick<Outcome, 'address'>) =>
    mine?.some(({ selects }) => selects(address)) === true ||
    any?.some(({ selects }) => selects(address)) !== true;
  const { outcomes, already_done: done = [] } = report;
  return { ...report, outcomes: outcomes.filter(isOwn), already_done: done.filter(isOwn) };
}

/** What may need a person first, because a long list is cut. */
const ROW_ORDER: readonly Outcome['outcome'][] = [
  'unknown',
  'failed',
  'missed',
  'not_attempted',
  'applied',
  'adopted',
];
const NEEDS_PERSON = ROW_ORDER.slice(0, 4);

/** Space for the line that counts the rest. */
const REST_BYTES = 100;

/** What became of the reviewed changes, as Markdown of at most so many bytes: a table with the ids, and why something was not done. */
export function drawOutcomes(report: ApplyReport, title: string, bytes: number): string {
  const { outcomes, already_done: done = [] } = report;
  const rows = [
    ...ROW_ORDER.flatMap((kind) => outcomes.filter(({ outcome }) => outcome === kind)).map(drawRow),
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
  let space = bytes - countBytes([`### ${title}`, '', ...head]) - REST_BYTES;
  const drawn = rows.filter((row) => {
    space -= countBytes([row]);
    return space >= 0;
  });
  const left = rows.length - drawn.length;
  return [
    `### ${title}`,
    '',
    ...(rows.length === 0 ? ['Nothing was left to do.'] : [...head, ...drawn]),
    ...(left > 0 ? ['', `And ${left} more.`] : []),
  ].join('\n');
}

function drawRow(outcome: Outcome): string {
  const needsPerson = NEEDS_PERSON.includes(outcome.outcome);
  return drawCells([
    OUTCOME_WORDS[nameOutcome(outcome)].counted,
    CHANGE_WORDS[outcome.action].label,
    name(outcome),
    outcome.live_id === null ? '' : markdownProse(outcome.live_id),
    needsPerson ? markdownProse(outcome.message) : '',
  ]);
}

function drawCells(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function name({ address }: Pick<Outcome, 'address'>): string {
  return markdownName(formatAddress(address));
}

/** `Applied at abc by this run`, or how many changes were not applied. */
export function drawTitle({ outcomes }: ApplyReport, run: ApplyRun): string {
  const left = outcomes.filter(({ outcome }) => NEEDS_PERSON.includes(outcome)).length;
  const what = left === 0 ? 'Applied' : `${count(left, 'change was', 'changes were')} not applied`;
  return `${what} ${drawRun(run)}`;
}

function drawRun({ commit, url }: ApplyRun): string {
  return `at ${commit.slice(0, 12)}${url === null ? '' : ` by ${markdownLink('this run', url)}`}`;
}

/** `2 applied, 1 not attempted`. */
export function countOutcomes({ summary, already_done: done = [] }: ApplyReport): string {
  const counts = Object.entries(summary)
    .filter(([outcome, number]) => number > 0 && outcome !== 'unchanged')
    .map(([outcome, number]) => `${number} ${outcome.replaceAll('_', ' ')}`);
  const words = [...counts, ...(done.length > 0 ? [`${done.length} already done`] : [])].join(', ');
  return words === '' ? 'nothing to do' : words;
}
