import { shown, visible, visibleProse, type Visible } from '../domain/visible.ts';
import { ProviderError } from '../provider/error.ts';
import type { Provider, CommitStatus } from '../provider/provider.ts';
import type { Job } from '../provider/job.ts';
import { markdownName, countBytes, markdownProse } from '../render/markdown-escape.ts';
import type { ApplyReport, Outcome } from '../domain/change.ts';
import { count, findWord, OUTCOME_WORDS, nameOutcome } from '../render/wording.ts';
import { shorten } from '../render/spans.ts';
import { countOutcomes } from '../render/report-text.ts';
import type { HeraldError } from '../domain/herald-error.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { formatAddress } from '../domain/resource.ts';
import type { Push } from './push.ts';
import { WorkspaceNames } from './workspace-names.ts';

type Say = (text: Visible) => void;

export interface ReportPorts {
  readonly say: Say;
  /** Resolves with null for `generic`. */
  readonly provider: () => Promise<Provider | null>;
  /** Adds to the page of the job. */
  readonly summary: (draw: (bytes: number) => string) => Promise<void>;
}

/** The sentence that says where the whole plan is. */
export function describeArtifact(job: Job, folder: string): string {
  const url = job.run?.url ?? null;
  const run = url === null ? '' : ` of ${markdownLink('this run', url)}`;
  return `The whole plan is in the artifact ${markdownName(new WorkspaceNames(folder).artifact)}${run}.`;
}

/** A link with our own words. Nothing in the address ends it. */
function markdownLink(words: string, url: string): string {
  const encoded = encodeURI(url).replaceAll('(', '%28').replaceAll(')', '%29');
  return `[${words}](${encoded})`;
}

type ReportPlace = Pick<Push, 'provider' | 'commit' | 'folder' | 'url'>;

/** Reports the end of a run that made a report. */
export async function reportApplied(
  { say, summary }: Pick<ReportPorts, 'say' | 'summary'>,
  run: ReportPlace,
  report: ApplyReport,
  { pulls, isDone }: { readonly pulls: readonly number[]; readonly isDone: boolean },
): Promise<void> {
  const left = report.outcomes.filter(needsPerson).length;
  const what = left === 0 ? 'Applied' : `${count(left, 'change was', 'changes were')} not applied`;
  const draw = (bytes: number) => drawOutcomes(report, `### ${what} ${drawRun(run)}`, bytes);
  await summary(draw);
  await reportEnd(say, run, [isDone ? 'success' : 'failure', countOutcomes(report)], pulls, draw);
}

/** Reports the end of a run that was refused as a whole, to the pull requests of the reviews, or to those that the refusal names. */
export async function reportRefused(
  say: Say,
  run: ReportPlace,
  failure: HeraldError,
  pulls: readonly number[] | null,
): Promise<void> {
  const { pull_requests: named = [] } = (failure.details ?? {}) as {
    readonly pull_requests?: readonly number[];
  };
  const state = failure.exit === EXIT.blocked ? 'failure' : 'error';
  const draw = () => `### Not applied ${drawRun(run)}\n\n${drawFailure(failure)}`;
  await reportEnd(say, run, [state, `not applied: ${failure.message}`], pulls ?? named, draw);
}

/** As the status of the commit, and in one comment each. If the provider fails, the apply still counts. */
async function reportEnd(
  say: Say,
  { provider, commit, folder, url }: ReportPlace,
  [state, what]: readonly [CommitStatus['state'], string],
  pulls: readonly number[],
  draw: (bytes: number) => string,
): Promise<void> {
  if (provider === null) return;
  const { digest, context } = new WorkspaceNames(folder);
  const status = { context: `${context} apply`, url, state, description: what };
  await tryToReport(say, 'The status of the commit', () => provider.setStatus(commit, status));
  const marker = `<!-- herald-apply:${digest} -->`;
  const body = `${marker}\n${draw(provider.bodyMax - countBytes([marker]))}`;
  for (const number of pulls)
    await tryToReport(say, `The outcome on pull request ${number}`, () =>
      provider.keepText({ pull: number }, marker, body),
    );
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
        action === null ? '' : findWord('plan', { action, address }).label,
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
    findWord('plan', outcome).label,
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

function drawRun({ commit, url }: ReportPlace): string {
  return `at ${commit.slice(0, 12)}${url === null ? '' : ` by ${markdownLink('this run', url)}`}`;
}

/** What was refused or failed, and what to do next. */
export function drawFailure({ message, hint }: { readonly message: string; readonly hint: string | null }) {
  return [markdownProse(message), ...(hint === null ? [] : ['', markdownProse(hint)])].join('\n');
}

/** Does what counts less than the result of the command. If it fails, the log says so. */
export async function tryToReport(say: Say, what: string, report: () => Promise<unknown>): Promise<void> {
  try {
    await report();
  } catch (error) {
    const { message } = error as Error;
    const why = error instanceof ProviderError ? `${message} ${error.hint ?? ''}` : message;
    say(shown`${what} could not be reported: ${visibleProse(why)}`);
  }
}

interface DriftFound {
  /** The folder of the workspace in the repository; empty for its root. */
  readonly folder: string;
  /** When it was found, and by which job. */
  readonly foot: string;
  readonly differs: boolean;
  /** Draws it in at most so many bytes, as Markdown with what people wrote neutralised. */
  readonly draw: (bytes: number) => string;
}

/** Reports drift in the summary, and keeps one issue about it, which is found by a marker among those of our own identity. */
export async function reportDrift(
  { say, summary, provider }: ReportPorts,
  { folder, foot, differs, draw }: DriftFound,
): Promise<void> {
  await summary(draw);
  const forge = await provider();
  if (forge === null) return say(shown`No issue: this is neither a job of GitHub nor of GitLab.`);
  const marker = `<!-- herald-drift:${new WorkspaceNames(folder).digest} -->`;
  const issue = await forge.findText('issues', marker);
  if (!differs && issue?.isOpen !== true) return say(shown`The issue stays as it is.`);
  const head = `${marker}\n`;
  const end = `\n\n---\nChecked at ${foot}. Herald edits this issue while the drift lasts, and closes it when it is gone.\n`;
  // Bytes are never fewer than characters.
  const text = draw(forge.bodyMax - Buffer.byteLength(head) - Buffer.byteLength(end));
  const where = folder === '' ? '' : ` in ${shorten(visible(folder), FOLDER_COLUMNS_MAX)}`;
  const content = { title: `Herald drift${where}`, body: `${head}${text}${end}` };
  const change = issue === null || issue.isOpen === differs ? content : { ...content, isOpen: differs };
  const { url } = await forge.writeText('issues', issue, change);
  const did = issue === null ? 'Opened' : differs ? 'Edited' : 'Closed, because nothing differs any more';
  say(shown`${did}: ${visibleProse(url ?? '')}`);
}

const FOLDER_COLUMNS_MAX = 100;
