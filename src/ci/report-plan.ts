import { shown, type Visible, visibleProse } from '../domain/visible.ts';
import { ProviderError } from '../provider/error.ts';
import type { CommitStatus, OwnComment, Provider, Written } from '../provider/provider.ts';
import {
  commentBody,
  type CommentText,
  type Found,
  markerStart,
  type Neighbour,
  drawNotice,
  planComment,
  type PlanRun,
  readMarker,
  statusContext,
} from './comment.ts';

/** What a report needs from its program. */
export interface ReportPorts {
  readonly say: (text: Visible) => void;
  /** Resolves with null for `generic`. */
  readonly provider: () => Promise<Provider | null>;
  /** Adds to the page of the job. */
  readonly summary: (draw: (bytes: number) => string) => Promise<void>;
}

/** What to report, and how it ended. */
export interface PlanReport {
  readonly found: Found;
  readonly state: CommitStatus['state'];
}

/** What is reported where no plan could be made. */
export interface FailureReport extends PlanReport {
  /** For the status, which has one line. */
  readonly because: string;
}

/**
 * Reports a plan where people review: in the summary of the job, in the comment of the pull request, and as a status of its
 * commit.
 */
export async function reportPlan(
  ports: ReportPorts,
  run: PlanRun,
  { found, state }: PlanReport,
): Promise<void> {
  await ports.summary((bytes) => [...found.notices, found.draw(bytes - NOTICES_BYTES)].join('\n\n'));
  const provider = await ports.provider();
  if (provider === null) return;
  try {
    await comment(ports, provider, run, found);
  } catch (error) {
    if (isReadOnly(run, error)) {
      ports.say(
        shown`No comment and no status, because the token of a pull request from a fork can only read. The plan is in the files of this job.`,
      );
      return;
    }
    await withoutComment(ports, provider, run, error);
    throw error;
  }
  await setStatus(provider, run, { state, description: found.counts });
}

/** The token of a pull request from a fork can only read. */
function isReadOnly({ job }: PlanRun, error: unknown): boolean {
  return job.isFork && error instanceof ProviderError && error.code === 'provider-denied';
}

/** The comment is still that of an earlier commit, so the status says that this one has none. */
async function withoutComment(
  ports: ReportPorts,
  provider: Provider,
  run: PlanRun,
  error: unknown,
): Promise<void> {
  const description = `the comment could not be written: ${(error as Error).message}`;
  await orSay(ports, 'The status', () => setStatus(provider, run, { state: 'error', description }));
}

/**
 * Reports a failure that ends the command: in the comment, so that an earlier plan is not taken for one of this commit, and
 * as a status. What cannot be reported is left out, because the failure counts.
 */
export async function reportFailure(
  ports: ReportPorts,
  run: PlanRun,
  { found, state, because }: FailureReport,
): Promise<void> {
  await ports.summary((bytes) => found.draw(bytes));
  await orSay(ports, 'The failure', async () => {
    const provider = await ports.provider();
    if (provider === null) return;
    await orSay(ports, 'The status', () => setStatus(provider, run, { state, description: because }));
    if (await isLatest(provider, run)) await comment(ports, provider, run, found);
  });
}

/** A job that fails late must not replace the plan of a newer commit. */
async function isLatest(provider: Provider, { job, head }: PlanRun): Promise<boolean> {
  if (job.pullRequest === null) return false;
  return (await provider.pullRequest(job.pullRequest)).head === head;
}

async function orSay({ say }: ReportPorts, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    say(shown`${what} could not be reported: ${visibleProse((error as Error).message)}`);
  }
}

const NOTICES_BYTES = 10_000;

async function comment({ say }: ReportPorts, provider: Provider, run: PlanRun, found: Found): Promise<void> {
  const { pullRequest: number, baseBranch } = run.job;
  if (number === null) {
    say(shown`Not a job of a pull request, so nothing to comment on.`);
    return;
  }
  const { comment: written, sharedWith } = await reportOnPullRequest(provider, {
    number,
    baseBranch,
    text: planComment(run, found),
    addresses: Object.keys(found.changes),
  });
  say(shown`Comment: ${visibleProse(written.url ?? `written on pull request ${number}`)}`);
  if (sharedWith.length > 0)
    say(shown`Open pull requests that change the same: ${sharedWith.map((one) => `#${one}`).join(', ')}`);
}

async function setStatus(
  provider: Provider,
  { job, folder, head }: PlanRun,
  status: Pick<CommitStatus, 'state' | 'description'>,
): Promise<void> {
  if (job.head === null) return;
  const description = visibleProse(status.description);
  const context = statusContext(folder, 'plan');
  await provider.setStatus(head, { ...status, description, context, url: job.run?.url ?? null });
}

/** A plan of a pull request, for its comment. */
interface PullRequestReport {
  readonly number: number;
  /** Null if it is not known. Then no other pull request is looked for. */
  readonly baseBranch: string | null;
  readonly text: CommentText;
  /** What the pull request changes. */
  readonly addresses: readonly string[];
}

/** What became of it. */
interface Reported {
  readonly comment: Written;
  /** Numbers of open pull requests that change the same addresses. */
  readonly sharedWith: readonly number[];
}

/**
 * Writes the one comment of a workspace, or edits it in place. Names the open pull requests that change the same addresses. Their
 * own next plan names this one.
 */
async function reportOnPullRequest(
  provider: Provider,
  { number, baseBranch, text, addresses }: PullRequestReport,
): Promise<Reported> {
  const around = await findNeighbours(provider, number, baseBranch, text.workspace);
  const sign = provider.name === 'gitlab' ? '!' : '#';
  const shared = around.neighbours.flatMap((neighbour) => {
    const notice = drawNotice(addresses, neighbour, sign);
    return notice === null ? [] : [{ notice, number: neighbour.pullRequest }];
  });
  const [earlier] = (await provider.ownComments(number, markerStart(text.workspace))).slice(-1);
  const place = { bodyMax: provider.bodyMax, earlier: earlier?.body ?? null };
  const notices = [...text.notices, ...around.notices, ...shared.map(({ notice }) => notice)];
  const comment = await write(provider, number, earlier, commentBody({ ...text, notices }, place));
  return { comment, sharedWith: shared.map((one) => one.number) };
}

/** Other open pull requests with a plan, and what a reader has to know of the search. */
async function findNeighbours(
  provider: Provider,
  number: number,
  baseBranch: string | null,
  workspace: string,
): Promise<{ readonly neighbours: readonly Neighbour[]; readonly notices: readonly string[] }> {
  const all = baseBranch === null ? [] : await provider.openPullRequests(baseBranch);
  const open = all.map((one) => one.number).filter((one) => one !== number);
  const { comments, isComplete } = await provider.ownCommentsOfAll(open, markerStart(workspace));
  const latest = new Map(comments.map((comment) => [comment.pullRequest, comment.body]));
  const neighbours = [...latest].flatMap(([pullRequest, body]) => {
    const marker = readMarker(workspace, body);
    if (marker === null || marker.plan === null) return [];
    return [{ pullRequest, addresses: marker.changes === undefined ? null : Object.keys(marker.changes) }];
  });
  const notices = isComplete
    ? []
    : ['> There are too many comments to read all. Other pull requests may change the same resources.'];
  return { neighbours: neighbours.toSorted((one, two) => one.pullRequest - two.pullRequest), notices };
}

async function write(
  provider: Provider,
  number: number,
  earlier: OwnComment | undefined,
  body: string,
): Promise<Written> {
  if (earlier === undefined) return provider.createComment(number, body);
  try {
    return await provider.editComment(earlier, body);
  } catch (error) {
    // A person deleted it meanwhile.
    if (error instanceof ProviderError && error.code === 'provider-not-found')
      return provider.createComment(number, body);
    throw error;
  }
}
