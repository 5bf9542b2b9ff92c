import * as z from 'zod';
import type { Repository } from '../domain/git.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { joined, shown, type Visible } from '../domain/visible.ts';
import { type Job, NO_JOB, PROVIDER_NAMES, type ProviderName } from '../provider/job.ts';
import type { Provider, PullRequest } from '../provider/provider.ts';
import { markerStart, readMarker, type ReviewMarker, workspaceDigest } from './comment.ts';

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

type FoundStatus = Pick<CiStatus, 'pull_request' | 'review' | 'next'>;

const SHORT = 12;

/** Where a pull request is: whether its plan was reviewed, and is still valid. What cannot be found out is a note. */
export async function pullRequestStatus(ports: StatusPorts, notes: string[]): Promise<FoundStatus> {
  const { provider, repository } = ports;
  const nothing = { pull_request: null, review: null, next: null };
  if (provider === null) return nothing;
  const before = notes.length;
  const pull = await askOrNote(notes, () => findPullRequest(ports, provider));
  if (pull === null) {
    if (notes.length === before) notes.push('This commit has no pull request. Name one: --pull-request 7');
    return nothing;
  }
  const workspace = workspaceDigest(repository?.folder ?? '');
  const comments = await askOrNote(notes, () => provider.ownComments(pull.number, markerStart(workspace)));
  const body = comments?.at(-1)?.body;
  const marker = body === undefined ? null : readMarker(workspace, body);
  const review = marker === null ? null : describeReview(marker, pull);
  const { number, url, title, author, state, head } = pull;
  return {
    pull_request: { number, url, title, author, state, head },
    review,
    next: comments === null ? null : chooseNextCommand(state, review),
  };
}

/** What was found out. Null, with a note that says what to do, if that was refused. */
export async function askOrNote<Answer>(
  notes: string[],
  ask: () => Promise<Answer | null>,
): Promise<Answer | null> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof HeraldError)) throw error;
    notes.push(`${error.message} ${error.hint ?? ''}`);
    return null;
  }
}

async function findPullRequest(
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

function describeReview(marker: ReviewMarker, { head }: PullRequest): CiStatus['review'] {
  const { plan, run, artifact, version } = marker;
  const because =
    plan === null
      ? 'the last run could not make a plan'
      : marker.head === head
        ? null
        : `it is for ${marker.head.slice(0, SHORT)}, and the pull request is at ${head.slice(0, SHORT)}`;
  return { plan, head: marker.head, run, artifact, version, valid: because === null, because };
}

function chooseNextCommand(state: PullRequest['state'], review: CiStatus['review']): string | null {
  if (state === 'closed') return null;
  if (review === null) return 'Run the plan job of the pull request.';
  if (!review.valid) return 'Run the plan job of the last commit, and read its plan.';
  return state === 'open' ? 'Merge the pull request. The apply job applies it.' : null;
}

/** `herald/ci/1`: the JSON output of `ci status`. */
export const ciStatusShape = z.strictObject({
  schema: z.literal('herald/ci/1'),
  job: z.strictObject({
    provider: z.enum(PROVIDER_NAMES),
    event: z.string(),
    repository: z.string().nullable(),
    run_url: z.string().nullable(),
  }),
  /** Null if there is none, or none was found. */
  pull_request: z
    .strictObject({
      number: z.int(),
      url: z.string(),
      title: z.string(),
      author: z.string(),
      state: z.enum(['open', 'closed', 'merged']),
      head: z.string(),
    })
    .nullable(),
  /** The plan in the comment of the pull request. Null if there is none. */
  review: z
    .strictObject({
      /** Its fingerprint. Null if the run could not make a plan. */
      plan: z.string().nullable(),
      /** The commit that was planned. */
      head: z.string(),
      run: z.string().nullable(),
      artifact: z.string(),
      version: z.string(),
      /** Whether `ci apply` would take it. */
      valid: z.boolean(),
      /** Why not. Null if it is valid. */
      because: z.string().nullable(),
    })
    .nullable(),
  state: z.strictObject({ place: z.string(), lease: z.string().nullable() }).nullable(),
  /** What could not be found out, and what to do about it. */
  notes: z.array(z.string()),
  /** What to do next. Null if nothing is left to do. */
  next: z.string().nullable(),
});
export interface CiStatus extends Readonly<z.infer<typeof ciStatusShape>> {}

/** The status as lines for people. */
export function drawStatus(status: CiStatus): Visible {
  const { notes, next } = status;
  return joined(
    [
      drawJob(status),
      ...drawPullRequest(status),
      ...drawStateLines(status),
      ...notes.map((note) => shown`Not known: ${note}`),
      ...(next === null ? [] : [shown`Next: ${next}`]),
    ],
    '\n',
  );
}

const PROVIDERS = { github: 'GitHub', gitlab: 'GitLab', generic: 'none that Herald knows' } as const;

function drawJob({ job }: CiStatus): Visible {
  const where = job.repository === null ? '' : `, repository ${job.repository}`;
  const run = job.run_url === null ? '' : `, run ${job.run_url}`;
  const event = job.event === 'other' ? '' : `, event ${job.event}`;
  return shown`Provider: ${PROVIDERS[job.provider]}${where}${event}${run}.`;
}

function drawPullRequest({ pull_request: pull, review }: CiStatus): readonly Visible[] {
  if (pull === null) return [];
  const head = pull.head.slice(0, SHORT);
  const first = shown`Pull request: ${pull.number}, ${pull.state}, by ${pull.author}, at ${head}: ${pull.title}`;
  if (review === null) return [first, shown`Plan: none in a comment.`];
  const made = `made by Herald ${review.version} for ${review.head.slice(0, SHORT)}`;
  return [
    first,
    review.because === null
      ? shown`Plan: ${(review.plan ?? '').slice(0, 'sha256:'.length + SHORT)}, ${made}. It is valid.`
      : shown`Plan: ${made}. It is not valid, because ${review.because}.`,
  ];
}

function drawStateLines({ state }: CiStatus): readonly Visible[] {
  if (state === null) return [];
  const lease = state.lease === null ? 'free' : `held by ${state.lease}`;
  return [shown`State: ${state.place}; the lease is ${lease}.`];
}

/** What is known of a clone on a person's machine. */
interface Desk {
  /** Hosts of the remotes. */
  readonly hosts: readonly string[];
  /** `owner/name` of each remote; on GitLab with all groups. */
  readonly paths: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The value of `--provider`. */
  readonly asked?: ProviderName | undefined;
}

/**
 * The repository that a person works in, for questions outside of a job. Null if the remotes do not tell one. A token must not go to
 * an address that a configuration file of the clone chooses, so the remote only says which of the known servers it is.
 *
 * | the host of the remotes             | the provider    |
 * |-------------------------------------|-----------------|
 * | github.com, or of GITHUB_SERVER_URL | GitHub          |
 * | gitlab.com, or of CI_SERVER_URL     | GitLab          |
 * | any other, or several               | none            |
 */
export function deskJob({ hosts, paths, env, asked }: Desk): Job | null {
  const servers = [
    ['github', 'github.com', env['GITHUB_SERVER_URL']],
    ['gitlab', 'gitlab.com', env['CI_SERVER_URL']],
  ] as const;
  const [host, ...otherHosts] = hosts;
  const [repository, ...others] = new Set(paths);
  const server = servers.find(
    ([name, own, url]) => (asked ?? name) === name && (host === own || host === readHost(url)),
  );
  if (server === undefined || repository === undefined || otherHosts.length + others.length > 0) return null;
  return { ...NO_JOB, provider: server[0], repository };
}

/** Why the remotes tell no repository, and what to set. */
export function describeNoDesk({ hosts, paths }: Pick<Desk, 'hosts' | 'paths'>): string {
  const found = [...hosts, ...new Set(paths)].join(', ');
  const host = hosts[0] ?? 'HOST';
  return `Herald cannot tell the repository from the remotes of this folder (${found === '' ? 'none' : found}). A token goes only to a server that you name. Use --provider github with: export GITHUB_SERVER_URL=https://${host} GITHUB_REPOSITORY=owner/name. Use --provider gitlab with: export CI_SERVER_URL=https://${host} CI_PROJECT_PATH=group/name`;
}

function readHost(url = ''): string | null {
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase() : null;
}
