import { shown, visible, visibleProse, type Visible } from '../domain/visible.ts';
import { ProviderError } from '../provider/error.ts';
import type { Provider, CommitStatus, Written } from '../provider/provider.ts';
import type { Job } from '../provider/job.ts';
import { markdownName, countBytes, markdownProse } from '../render/markdown-escape.ts';
import * as z from 'zod';
import { sha256Of } from '../domain/digest.ts';
import type { Repository } from '../domain/ports.ts';
import type { ApplyReport, Outcome } from '../domain/change.ts';
import { count, findWord, OUTCOME_WORDS, nameOutcome } from '../render/wording.ts';
import { shorten } from '../render/shorten.ts';
import { countOutcomes } from '../render/report-text.ts';
import { hasCode, type HeraldError } from '../domain/herald-error.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { formatAddress } from '../domain/resource.ts';

type Say = (text: Visible) => void;

export interface PlanRun {
  readonly job: Job;
  /** Of the workspace in the repository; empty at its top. */
  readonly folder: string;
  readonly version: string;
  /** The last commit of the pull request. */
  readonly head: string;
}

/** What a plan job found out, for its comment and its status. All texts are Markdown, with what people wrote neutralised. */
export interface PlanReport {
  /** Null without a plan: then there is nothing to review. */
  readonly fingerprint: string | null;
  readonly state: CommitStatus['state'];
  /** For the status: `2 to create`. */
  readonly counts: string;
  /** The commit that it was compared with; null if it was compared with none. */
  readonly base: string | null;
  /** What a reviewer has to know first, such as a changed policy. */
  readonly notices: readonly string[];
  /** Draws the plan in at most so many bytes. */
  readonly draw: (bytes: number) => string;
}

export interface ReportPorts {
  readonly say: Say;
  /** Resolves with null for `generic`. */
  readonly provider: () => Promise<Provider | null>;
  /** Adds to the page of the job. */
  readonly summary: (draw: (bytes: number) => string) => Promise<void>;
}

const ONLY_FILES = shown`No comment and no status, because a pull request from a fork has no token that can write. The plan is in the files of this job.`;

/** Reports a plan, or why there is none: in the summary, in the comment, and as a status of the commit. */
export async function reportPlan(ports: ReportPorts, run: PlanRun, report: PlanReport): Promise<void> {
  const { job, folder, head } = run;
  const first = report.notices.flatMap((notice) => [notice, '']);
  await ports.summary((bytes) => [...first, report.draw(bytes - countBytes(first))].join('\n'));
  const url = job.run?.url ?? null;
  let provider: Provider | null = null;
  const set = async (state: CommitStatus['state'], what: string) => {
    if (provider === null || job.head === null) return;
    await setStatus(provider, head, { context: nameJob(folder), url, state }, what);
  };
  try {
    provider = await ports.provider();
    if (provider === null) return;
    await comment(ports.say, provider, run, report);
  } catch (error) {
    // The job of a fork has a token that only reads on GitHub, and none on GitLab.
    if (job.isFork && hasCode(error, 'provider-denied', 'provider-no-token')) return ports.say(ONLY_FILES);
    // The comment is still that of an earlier commit, so the status says that this one has none.
    const why = `the comment could not be written: ${(error as Error).message}`;
    await tryToReport(ports.say, 'The status', () => set('error', why));
    throw error;
  }
  await set(report.state, report.counts);
}

async function comment(say: Say, provider: Provider, run: PlanRun, report: PlanReport): Promise<void> {
  const { pullRequest: number } = run.job;
  if (number === null) {
    say(shown`Not a job of a pull request, so nothing to comment on.`);
    return;
  }
  const pull = await provider.pullRequest(number);
  if (pull.state === 'open' && pull.head !== run.head) {
    say(shown`No comment, because pull request ${number} has a newer commit by now.`);
    return;
  }
  const body = planComment(run, report, provider.bodyMax);
  const { url } = await keepComment(provider, number, markerStart(run.folder), body);
  say(shown`Comment: ${visibleProse(url ?? `written on pull request ${number}`)}`);
}

/** The body of the comment of a plan: its marker, what to know first, the plan, and where it is from. It always fits. */
export function planComment(run: PlanRun, report: PlanReport, bodyMax: number): string {
  const { job, folder, version, head } = run;
  const { fingerprint, base, notices, draw } = report;
  const marker = markerLine(folder, {
    schema: 'herald/ci/1',
    run: job.run?.id ?? null,
    plan: fingerprint,
    head,
  });
  const footer = [
    ...(folder === '' ? [] : [`Workspace ${markdownName(folder)}.`]),
    `Planned for ${head.slice(0, SHORT)}${base === null ? '' : `, compared with ${base.slice(0, SHORT)}`}.`,
    ...(fingerprint === null
      ? []
      : [`Fingerprint ${markdownName(fingerprint.slice(0, 'sha256:'.length + SHORT))}.`]),
    describeArtifact(job, folder),
    `Herald ${version}.`,
  ].join(' ');
  const first = [marker, ...notices.flatMap((notice) => [notice, ''])];
  // Bytes are never fewer than characters.
  const plan = draw(bodyMax - countBytes([...first, '', footer])).trimEnd();
  return [...first, plan, '', footer].join('\n');
}

/** Characters of a commit and of a fingerprint that people see. */
const SHORT = 12;

/** The sentence that says where the whole plan is. */
export function describeArtifact(job: Job, folder: string): string {
  const url = job.run?.url ?? null;
  const run = url === null ? '' : ` of ${markdownLink('this run', url)}`;
  return `The whole plan is in the artifact ${markdownName(planArtifact(folder))}${run}.`;
}

/** A link with our own words. Nothing in the address ends it. */
function markdownLink(words: string, url: string): string {
  const encoded = encodeURI(url).replaceAll('(', '%28').replaceAll(')', '%29');
  return `[${words}](${encoded})`;
}

/** What a comment says to later jobs: which plan was reviewed, and where it is. */
const reviewMarkerShape = z.object({
  schema: z.literal('herald/ci/1'),
  /** The run that has the artifact; null where there is none. */
  run: z.string().nullable(),
  /** The fingerprint of the plan. Null if there is none, for example because the files have errors. */
  plan: z.string().nullable(),
  /** The last commit of the pull request that was planned. */
  head: z.string(),
});

export interface ReviewMarker extends Readonly<z.infer<typeof reviewMarkerShape>> {}

/** No marker is longer; a comment may be. */
const MARKER_TEXT_MAX = 200_000;

/** The beginning of the comment of one workspace, by its folder in the repository. */
export function markerStart(folder: string): string {
  return `<!-- herald:${workspaceDigest(folder)} `;
}

/** The first line of a comment. */
export function markerLine(folder: string, marker: ReviewMarker): string {
  return `${markerStart(folder)}${Buffer.from(JSON.stringify(marker)).toString('base64url')} -->`;
}

/**
 * What the first line of a comment says. Null for anything else, also for a marker that is damaged. Only comments of our
 * own identity may be read with it: anyone can write such a line.
 */
export function readMarker(folder: string, body: string): ReviewMarker | null {
  const start = markerStart(folder);
  if (!body.startsWith(start)) return null;
  const line = body.slice(start.length, start.length + MARKER_TEXT_MAX);
  const encoded = /^([\w-]+) -->(?=\r?\n|$)/.exec(line)?.[1];
  if (encoded === undefined) return null;
  try {
    const read = reviewMarkerShape.safeParse(JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** Enough hex characters to distinguish the workspaces of one repository. */
const DIGEST_LENGTH = 12;

/** Names a workspace in markers and artifacts: a digest, because a folder may have any characters. */
export function workspaceDigest(folder: string): string {
  return sha256Of({ workspace: folder }).slice('sha256:'.length).slice(0, DIGEST_LENGTH);
}

/** The name of the artifact with the plan of a workspace. */
export function planArtifact(folder: string): string {
  return `herald-plan-${workspaceDigest(folder)}`;
}

export interface ApplyPlace {
  /** Null for `generic`. */
  readonly provider: Provider | null;
  readonly repository: Repository;
  readonly commit: string;
  /** The tip before the push; null if it is not known. */
  readonly before: string | null;
  /** That was pushed; null if it is not known. */
  readonly branch: string | null;
  /** Of the workspace in the repository; empty at its top. */
  readonly folder: string;
  /** The page of the run; null if there is none. */
  readonly url: string | null;
}

type ReportPlace = Omit<ApplyPlace, 'repository' | 'before' | 'branch'>;

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
  const status = { context: `${nameJob(folder)} apply`, url, state };
  await tryToReport(say, 'The status of the commit', () => setStatus(provider, commit, status, what));
  const marker = `<!-- herald-apply:${workspaceDigest(folder)} -->`;
  const body = `${marker}\n${draw(provider.bodyMax - countBytes([marker]))}`;
  for (const number of pulls)
    await tryToReport(say, `The outcome on pull request ${number}`, () =>
      keepComment(provider, number, marker, body),
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

/** Keeps one comment that begins with a marker: edits it in place, or writes it. Comments of others are never taken for it. */
async function keepComment(
  provider: Provider,
  pullRequest: number,
  marker: string,
  body: string,
): Promise<Written> {
  const place = { pull: pullRequest };
  return provider.writeText(place, await provider.findText(place, marker), { body });
}

/** The context of a plan's status, which is on the head of a pull request. That of an apply is on the merged commit. */
function nameJob(folder: string): string {
  return folder === '' ? 'herald' : `herald/${folder}`;
}

function setStatus(
  provider: Provider,
  commit: string,
  status: Omit<CommitStatus, 'description'>,
  description: string,
): Promise<void> {
  return provider.setStatus(commit, { ...status, description: visibleProse(description) });
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
  const marker = `<!-- herald-drift:${workspaceDigest(folder)} -->`;
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
