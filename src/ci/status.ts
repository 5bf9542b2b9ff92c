import { type Repository } from '../domain/git.ts';
import type { Job } from '../provider/job.ts';
import type { Provider, PullRequest } from '../provider/provider.ts';
import { markerStart, readMarker, type ReviewMarker } from './marker.ts';
import type { CiStatus } from './status-shape.ts';
import { workspaceDigest } from './workspace-digest.ts';
import { HeraldError } from '../domain/herald-error.ts';

/** What the status is found out from. Everything is only read. */
export interface StatusPorts {
  readonly job: Job;
  /** Null for `generic`: then only the job and the state are known. */
  readonly provider: Provider | null;
  /** Null without git. */
  readonly repository: Repository | null;
  /** The pull request that a person asks about. Null for that of the job or of the commit. */
  readonly asked: number | null;
}

export type FoundStatus = Pick<CiStatus, 'pull_request' | 'review' | 'notes' | 'next'>;

const NOTHING: FoundStatus = { pull_request: null, review: null, notes: [], next: null };

const SHORT = 12;

/** Where a pull request is: whether its plan was reviewed, and is still valid. */
export async function pullRequestStatus(ports: StatusPorts): Promise<FoundStatus> {
  const { provider } = ports;
  if (provider === null)
    return {
      ...NOTHING,
      notes: ['No provider was found here, so nothing is known of pull requests. Name it: --provider github'],
    };
  const notes: string[] = [];
  const pullRequest = await asking(notes, () => pullRequestOf(ports, provider));
  if (pullRequest === null) {
    if (notes.length === 0) notes.push('This commit has no pull request. Name one: --pull-request 7');
    return { ...NOTHING, notes };
  }
  const marker = await asking(notes, () => markerOf(ports, provider, pullRequest));
  const review = marker === null ? null : reviewOf(marker, pullRequest);
  const found = { pull_request: shownOf(pullRequest), review, notes };
  return { ...found, next: nextOf(found) };
}

/** The answer; null with a note if the provider or git cannot give it. */
async function asking<Answer>(notes: string[], ask: () => Promise<Answer | null>): Promise<Answer | null> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof HeraldError)) throw error;
    notes.push(`${error.message} ${error.hint ?? ''}`);
    return null;
  }
}

async function pullRequestOf(
  { asked, job, repository }: StatusPorts,
  provider: Provider,
): Promise<PullRequest | null> {
  const number = asked ?? job.pullRequest;
  if (number !== null) return provider.pullRequest(number);
  const commit = job.head ?? (await repository?.commitOf('HEAD')) ?? null;
  if (commit === null) return null;
  const all = await provider.pullRequestsOf(commit);
  const open = all.filter(({ state }) => state === 'open');
  if (open.length > 1)
    throw new HeraldError(
      'several-pull-requests',
      `The commit ${commit.slice(0, SHORT)} is in ${open.length} open pull requests: ${open.map((one) => one.number).join(', ')}.`,
      `Name one: --pull-request ${open[0]?.number ?? ''}`,
    );
  return open[0] ?? all.findLast(({ state }) => state === 'merged') ?? null;
}

async function markerOf(
  { repository }: StatusPorts,
  provider: Provider,
  { number }: PullRequest,
): Promise<ReviewMarker | null> {
  const workspace = workspaceDigest(repository?.folder ?? '');
  const comment = (await provider.ownComments(number, markerStart(workspace))).at(-1);
  return comment === undefined ? null : readMarker(workspace, comment.body);
}

function reviewOf(marker: ReviewMarker, { head }: PullRequest): CiStatus['review'] {
  const { plan, run, artifact, version } = marker;
  const because =
    plan === null
      ? 'the last run could not make a plan'
      : marker.head === head
        ? null
        : `it is for ${marker.head.slice(0, SHORT)}, and the pull request is at ${head.slice(0, SHORT)}`;
  return { plan, head: marker.head, run, artifact, version, valid: because === null, because };
}

function shownOf({ number, url, title, author, state, head }: PullRequest): CiStatus['pull_request'] {
  return { number, url, title, author, state, head };
}

function nextOf({ pull_request: pull, review, notes }: Omit<FoundStatus, 'next'>): string | null {
  if (pull?.state === 'closed') return null;
  if (review === null) return notes.length > 0 ? null : 'Run the plan job of the pull request.';
  if (!review.valid) return 'Run the plan job of the last commit, and read its plan.';
  return pull?.state === 'open' ? 'Merge the pull request. The apply job applies it.' : null;
}
