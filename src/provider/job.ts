import { readMember } from '../domain/field-path.ts';

/** Sites that run jobs and hold pull requests. `generic` is any other place: a shell, another CI. */
export const PROVIDER_NAMES = ['github', 'gitlab', 'generic'] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

/** Why a job runs. `other` is everything that Herald has no rule for, such as a comment or a start by hand. */
type JobEvent = 'pull-request' | 'push' | 'merge-queue' | 'schedule' | 'other';

/** What environment and event file tell of the job that Herald runs in. Nothing in it was asked of the provider. */
export interface Job {
  readonly provider: ProviderName;
  readonly event: JobEvent;
  /** The provider's own word for the event, such as `pull_request_target`. Null outside of CI. */
  readonly eventName: string | null;
  /** `owner/name`; on GitLab with all groups. */
  readonly repository: string | null;
  /** The head of the pull request, or the commit that was pushed. A checkout may be at a merge. */
  readonly head: string | null;
  /**
   * On a pull request, the tip of the base branch when the event was made; not the merge base. On a push, the commit
   * that was the tip before. Null for a new branch.
   */
  readonly base: string | null;
  /** The branch that a pull request or a merge queue goes into. */
  readonly baseBranch: string | null;
  /** The branch that was pushed, or that the head of a pull request is on. */
  readonly branch: string | null;
  readonly defaultBranch: string | null;
  readonly pullRequest: number | null;
  /** The head is in another repository, so it was written by someone who may have no rights here. */
  readonly isFork: boolean;
  readonly run: {
    /** On GitHub the workflow run, on GitLab the job, because artifacts belong to it. */
    readonly id: string;
    /** The page of the run. Null if the environment has no web address. */
    readonly url: string | null;
  } | null;
}

interface JobSource {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reads a file outside of the workspace: the event file that GitHub writes. */
  readonly readText: (path: string) => Promise<string>;
}

/** No CI that Herald knows. */
export const NO_JOB: Job = {
  provider: 'generic',
  event: 'other',
  eventName: null,
  repository: null,
  head: null,
  base: null,
  baseBranch: null,
  branch: null,
  defaultBranch: null,
  pullRequest: null,
  isFork: false,
  run: null,
};

/** Finds out where this job runs. `asked`, the value of `--provider`, wins. `generic` reads nothing. */
export async function detectJob(source: JobSource, asked?: ProviderName): Promise<Job> {
  const provider = asked ?? providerIn(source.env);
  if (provider === 'github') return gitHubJob(source);
  return provider === 'gitlab' ? gitLabJob(source) : NO_JOB;
}

/** GitHub Actions also runs on other hosts of the same software; the variable says the software, not the host. */
function providerIn(env: JobSource['env']): ProviderName {
  if (env['GITHUB_ACTIONS'] === 'true') return 'github';
  return env['GITLAB_CI'] === 'true' ? 'gitlab' : 'generic';
}

const GITHUB_EVENTS: ReadonlyMap<string, JobEvent> = new Map<string, JobEvent>([
  ['pull_request', 'pull-request'],
  ['pull_request_target', 'pull-request'],
  ['pull_request_review', 'pull-request'],
  ['push', 'push'],
  ['merge_group', 'merge-queue'],
  ['schedule', 'schedule'],
]);

async function gitHubJob(source: JobSource): Promise<Job> {
  const { env } = source;
  const eventName = env['GITHUB_EVENT_NAME'] ?? null;
  const event = GITHUB_EVENTS.get(eventName ?? '') ?? 'other';
  const payload = await readPayload(source);
  const id = runIdIn(env['GITHUB_RUN_ID']);
  const branch = env['GITHUB_REF_TYPE'] === 'tag' ? null : branchIn(env['GITHUB_REF_NAME']);
  return {
    ...NO_JOB,
    provider: 'github',
    event,
    eventName,
    repository: repositoryIn(env['GITHUB_REPOSITORY']),
    head: commitIn(env['GITHUB_SHA']),
    branch,
    // A schedule runs only there, and its event file may not name it.
    defaultBranch:
      branchIn(readMember(payload, 'repository', 'default_branch')) ?? (event === 'schedule' ? branch : null),
    run: id === null ? null : { id, url: jobUrl(env) },
    ...ofEvent(event, payload, env),
  };
}

function ofEvent(event: JobEvent, payload: unknown, env: JobSource['env']): Partial<Job> {
  if (event === 'pull-request') return ofPullRequest(payload, env);
  if (event === 'merge-queue')
    return {
      head: commitIn(readMember(payload, 'merge_group', 'head_sha')) ?? commitIn(env['GITHUB_SHA']),
      base: commitIn(readMember(payload, 'merge_group', 'base_sha')),
      baseBranch: branchIn(readMember(payload, 'merge_group', 'base_ref')),
    };
  return event === 'push' ? { base: commitIn(readMember(payload, 'before')) } : {};
}

function ofPullRequest(payload: unknown, env: JobSource['env']): Partial<Job> {
  const at = (...path: readonly string[]) => readMember(payload, 'pull_request', ...path);
  const head = repositoryIn(at('head', 'repo', 'full_name'));
  return {
    // Without the event file it is the merge that is checked out, which no one has reviewed. Then none is named.
    head: commitIn(at('head', 'sha')),
    base: commitIn(at('base', 'sha')),
    baseBranch: branchIn(at('base', 'ref')) ?? branchIn(env['GITHUB_BASE_REF']),
    branch: branchIn(at('head', 'ref')) ?? branchIn(env['GITHUB_HEAD_REF']),
    pullRequest: countIn(at('number')) ?? countIn(/^refs\/pull\/(\d+)\//.exec(env['GITHUB_REF'] ?? '')?.[1]),
    // The repository of a fork may be deleted. What is not known is not trusted.
    isFork: head === null || head !== repositoryIn(env['GITHUB_REPOSITORY']),
  };
}

/** Null if the file does not exist, or is not JSON. */
async function readPayload({ env, readText }: JobSource): Promise<unknown> {
  const path = env['GITHUB_EVENT_PATH'] ?? '';
  if (path === '') return null;
  try {
    return JSON.parse(await readText(path));
  } catch {
    return null;
  }
}

const GITLAB_EVENTS: ReadonlyMap<string, JobEvent> = new Map<string, JobEvent>([
  ['merge_request_event', 'pull-request'],
  ['push', 'push'],
  ['schedule', 'schedule'],
]);

function gitLabJob({ env }: Pick<JobSource, 'env'>): Job {
  const eventName = env['CI_PIPELINE_SOURCE'] ?? null;
  const isTrain = env['CI_MERGE_REQUEST_EVENT_TYPE'] === 'merge_train';
  const event = isTrain ? 'merge-queue' : (GITLAB_EVENTS.get(eventName ?? '') ?? 'other');
  const id = runIdIn(env['CI_JOB_ID']);
  return {
    ...NO_JOB,
    provider: 'gitlab',
    event,
    eventName,
    repository: repositoryIn(env['CI_PROJECT_PATH']),
    head: commitIn(env['CI_COMMIT_SHA']),
    branch: branchIn(env['CI_COMMIT_BRANCH']),
    defaultBranch: branchIn(env['CI_DEFAULT_BRANCH']),
    run: id === null ? null : { id, url: jobUrl(env) },
    ...(env['CI_MERGE_REQUEST_IID'] === undefined
      ? { base: event === 'push' ? commitIn(env['CI_COMMIT_BEFORE_SHA']) : null }
      : ofMergeRequest(env)),
    // As in the queue of GitHub, no comment is written: people have reviewed the plan that it has.
    ...(isTrain ? { pullRequest: null } : {}),
  };
}

function ofMergeRequest(env: JobSource['env']): Partial<Job> {
  const source = repositoryIn(env['CI_MERGE_REQUEST_SOURCE_PROJECT_PATH']);
  const target = repositoryIn(env['CI_MERGE_REQUEST_PROJECT_PATH']);
  return {
    // The pipeline of a fork runs in the project of the fork, which does not have the merge request.
    repository: target ?? repositoryIn(env['CI_PROJECT_PATH']),
    // Set only where the pipeline runs on a merge of both. Else the head is what is checked out.
    head: commitIn(env['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA']) ?? commitIn(env['CI_COMMIT_SHA']),
    base:
      commitIn(env['CI_MERGE_REQUEST_TARGET_BRANCH_SHA']) ?? commitIn(env['CI_MERGE_REQUEST_DIFF_BASE_SHA']),
    baseBranch: branchIn(env['CI_MERGE_REQUEST_TARGET_BRANCH_NAME']),
    branch: branchIn(env['CI_MERGE_REQUEST_SOURCE_BRANCH_NAME']),
    pullRequest: countIn(env['CI_MERGE_REQUEST_IID']),
    // What is not known is not trusted.
    isFork: source === null || source !== target,
  };
}

/** GitLab refuses a status with a longer address. */
const URL_MAX = 255;

/** The page of the CI job, for others who wait for it; null outside of CI, and for anything but a web address. */
export function jobUrl(env: JobSource['env']): string | null {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  const isGitHub = server !== undefined && repository !== undefined && run !== undefined;
  return cleanUrl(isGitHub ? `${server}/${repository}/actions/runs/${run}` : env['CI_JOB_URL']);
}

/** Longer values of variables are not names of people or jobs. */
const NAME_MAX = 100;

/** Who runs this: the person that the job names, or else the user of the machine, and the job. */
export function nameRunner(env: JobSource['env'], readUser: () => string): string {
  const job = nameIn(env['GITHUB_RUN_ID'] ?? env['CI_JOB_ID'] ?? env['BUILD_ID']);
  const person = nameIn(env['GITHUB_ACTOR'] ?? env['GITLAB_USER_LOGIN']) || readUser();
  return job === '' ? person : `${person} (job ${job})`;
}

/** One line without control characters, and no longer than a name. */
function nameIn(text = ''): string {
  return text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, NAME_MAX);
}

const COMMIT_VARIABLES = ['GITHUB_SHA', 'CI_COMMIT_SHA', 'BITBUCKET_COMMIT', 'BUILD_SOURCEVERSION'];

/** The commit that a job has checked out, with what its CI says of it. On a person's machine the files may differ from every commit. */
export function readCommit(env: JobSource['env']) {
  const id = COMMIT_VARIABLES.map((name) => env[name] ?? '').find((value) => value !== '');
  const { CI_COMMIT_TITLE: subject, CI_COMMIT_AUTHOR: author } = env;
  if (id === undefined) return null;
  return { id, ...(subject !== undefined && { subject }), ...(author !== undefined && { author }) };
}

/** Anyone who opens a pull request may choose a part of it. Without a user, a password, a query and a fragment. */
function cleanUrl(text = ''): string | null {
  try {
    const { protocol, origin, pathname } = new URL(text);
    const url = origin + pathname;
    return /^https?:$/.test(protocol) && url.length <= URL_MAX ? url : null;
  } catch {
    return null;
  }
}

/* Values of the environment and of event files. People choose parts of them, so each is checked. */

/** A commit's whole hash, SHA-1 or SHA-256. All zeros means none. */
const commitIn = (text: unknown) => matching(/^(?!0+$)[0-9a-f]{40}(?:[0-9a-f]{24})?$/, text);
const repositoryIn = (text: unknown) => matching(/^[\w.-]+(?:\/[\w.-]+)+$/, text);
const runIdIn = (text: unknown) => matching(/^\d{1,20}$/, text);

function matching(pattern: RegExp, text: unknown): string | null {
  return typeof text === 'string' && pattern.test(text) ? text : null;
}

/** The name of a branch; null for a tag and for nothing. */
function branchIn(text: unknown): string | null {
  if (typeof text !== 'string' || text === '' || text.startsWith('refs/tags/')) return null;
  return text.replace(/^refs\/heads\//, '');
}

/** A number that counts from 1, written as a number or as text. */
function countIn(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : null;
}
