import { NO_JOB, type Job, type JobEvent, type JobSource } from '../job.ts';
import { branchIn, commitIn, countIn, repositoryIn, runIdIn } from '../job-text.ts';
import { jobUrl } from '../job-url.ts';

const EVENTS: ReadonlyMap<string, JobEvent> = new Map<string, JobEvent>([
  ['merge_request_event', 'pull-request'],
  ['push', 'push'],
  ['schedule', 'schedule'],
  ['web', 'manual'],
  ['api', 'manual'],
  ['trigger', 'manual'],
]);

/** The job on GitLab CI, from its variables. */
export function gitLabJob({ env }: Pick<JobSource, 'env'>): Job {
  const eventName = env['CI_PIPELINE_SOURCE'] ?? null;
  const isTrain = env['CI_MERGE_REQUEST_EVENT_TYPE'] === 'merge_train';
  const event = isTrain ? 'merge-queue' : (EVENTS.get(eventName ?? '') ?? 'other');
  const id = runIdIn(env['CI_JOB_ID']);
  const checkedOut = commitIn(env['CI_COMMIT_SHA']);
  return {
    ...NO_JOB,
    provider: 'gitlab',
    event,
    eventName,
    repository: repositoryIn(env['CI_PROJECT_PATH']),
    head: checkedOut,
    checkedOut,
    branch: branchIn(env['CI_COMMIT_BRANCH']),
    defaultBranch: branchIn(env['CI_DEFAULT_BRANCH']),
    run: id === null ? null : { id, attempt: 1, url: jobUrl(env) },
    ...(env['CI_MERGE_REQUEST_IID'] === undefined
      ? { base: event === 'push' ? commitIn(env['CI_COMMIT_BEFORE_SHA']) : null }
      : ofMergeRequest(env)),
  };
}

function ofMergeRequest(env: JobSource['env']): Partial<Job> {
  const source = repositoryIn(env['CI_MERGE_REQUEST_SOURCE_PROJECT_PATH']);
  return {
    // Set only where the pipeline runs on a merge of both. Else the head is what is checked out.
    head: commitIn(env['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA']) ?? commitIn(env['CI_COMMIT_SHA']),
    base:
      commitIn(env['CI_MERGE_REQUEST_TARGET_BRANCH_SHA']) ?? commitIn(env['CI_MERGE_REQUEST_DIFF_BASE_SHA']),
    baseBranch: branchIn(env['CI_MERGE_REQUEST_TARGET_BRANCH_NAME']),
    branch: branchIn(env['CI_MERGE_REQUEST_SOURCE_BRANCH_NAME']),
    pullRequest: countIn(env['CI_MERGE_REQUEST_IID']),
    // What is not known is not trusted.
    isFork: source === null || source !== repositoryIn(env['CI_MERGE_REQUEST_PROJECT_PATH']),
  };
}
