import { NO_JOB, type Job, type JobEvent, type JobSource } from '../job.ts';
import { branchIn, commitIn, countIn, memberOf, repositoryIn, runIdIn } from '../job-text.ts';
import { jobUrl } from '../job-url.ts';

const EVENTS: ReadonlyMap<string, JobEvent> = new Map<string, JobEvent>([
  ['pull_request', 'pull-request'],
  ['pull_request_target', 'pull-request'],
  ['pull_request_review', 'pull-request'],
  ['push', 'push'],
  ['merge_group', 'merge-queue'],
  ['schedule', 'schedule'],
  ['workflow_dispatch', 'manual'],
]);

/** The job on GitHub Actions, from its variables and from the event file. */
export async function gitHubJob(source: JobSource): Promise<Job> {
  const { env } = source;
  const eventName = env['GITHUB_EVENT_NAME'] ?? null;
  const event = EVENTS.get(eventName ?? '') ?? 'other';
  const payload = await payloadOf(source);
  const id = runIdIn(env['GITHUB_RUN_ID']);
  const branch = env['GITHUB_REF_TYPE'] === 'tag' ? null : branchIn(env['GITHUB_REF_NAME']);
  return {
    ...NO_JOB,
    provider: 'github',
    event,
    eventName,
    repository: repositoryIn(env['GITHUB_REPOSITORY']),
    head: commitIn(env['GITHUB_SHA']),
    checkedOut: commitIn(env['GITHUB_SHA']),
    branch,
    // A schedule runs only there, and its event file may not name it.
    defaultBranch:
      branchIn(memberOf(payload, 'repository', 'default_branch')) ?? (event === 'schedule' ? branch : null),
    run: id === null ? null : { id, attempt: countIn(env['GITHUB_RUN_ATTEMPT']) ?? 1, url: jobUrl(env) },
    ...ofEvent(event, payload, env),
  };
}

function ofEvent(event: JobEvent, payload: unknown, env: JobSource['env']): Partial<Job> {
  if (event === 'pull-request') return ofPullRequest(payload, env);
  if (event === 'merge-queue')
    return {
      head: commitIn(memberOf(payload, 'merge_group', 'head_sha')) ?? commitIn(env['GITHUB_SHA']),
      base: commitIn(memberOf(payload, 'merge_group', 'base_sha')),
      baseBranch: branchIn(memberOf(payload, 'merge_group', 'base_ref')),
    };
  return event === 'push' ? { base: commitIn(memberOf(payload, 'before')) } : {};
}

function ofPullRequest(payload: unknown, env: JobSource['env']): Partial<Job> {
  const at = (...path: readonly string[]) => memberOf(payload, 'pull_request', ...path);
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
async function payloadOf({ env, readText }: JobSource): Promise<unknown> {
  const path = env['GITHUB_EVENT_PATH'] ?? '';
  if (path === '') return null;
  try {
    return JSON.parse(await readText(path));
  } catch {
    return null;
  }
}
