import { describe, expect, it } from 'vitest';
import { detectJob, NO_JOB, type Job } from '../../src/provider/job.ts';

const HEAD = 'a'.repeat(40);
const BASE = 'b'.repeat(40);
const MERGE = 'c'.repeat(40);
const NONE = '0'.repeat(40);

type Env = Readonly<Record<string, string | undefined>>;

const ON_GITHUB = {
  GITHUB_ACTIONS: 'true',
  GITHUB_EVENT_NAME: 'pull_request',
  GITHUB_EVENT_PATH: '/event.json',
  GITHUB_REPOSITORY: 'acme/ads',
  GITHUB_SERVER_URL: 'https://github.example',
  GITHUB_SHA: MERGE,
  GITHUB_REF: 'refs/pull/7/merge',
  GITHUB_REF_NAME: '7/merge',
  GITHUB_RUN_ID: '4711',
};

const ON_GITLAB = {
  GITLAB_CI: 'true',
  CI_PIPELINE_SOURCE: 'merge_request_event',
  CI_PROJECT_PATH: 'acme/eu/ads',
  CI_DEFAULT_BRANCH: 'main',
  CI_COMMIT_SHA: HEAD,
  CI_JOB_ID: '12',
  CI_JOB_URL: 'https://lab.example/acme/eu/ads/-/jobs/12',
  CI_MERGE_REQUEST_IID: '7',
  CI_MERGE_REQUEST_DIFF_BASE_SHA: BASE,
  CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
  CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'spring',
  CI_MERGE_REQUEST_PROJECT_PATH: 'acme/eu/ads',
  CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'acme/eu/ads',
};

describe('a job on GitHub', () => {
  it('has the head of the pull request, not the merge that is checked out', async () => {
    expect(await job(ON_GITHUB, pullRequestOf('acme/ads'))).toEqual({
      provider: 'github',
      event: 'pull-request',
      eventName: 'pull_request',
      repository: 'acme/ads',
      head: HEAD,
      base: BASE,
      baseBranch: 'main',
      branch: 'spring',
      defaultBranch: 'main',
      pullRequest: 7,
      isFork: false,
      run: { id: '4711', url: 'https://github.example/acme/ads/actions/runs/4711' },
    });
  });

  const ON_PUSH = { GITHUB_EVENT_NAME: 'push', GITHUB_REF_NAME: 'main' };
  const pushed = (before: string) => ({ before, repository: { default_branch: 'main' } });
  const group = { head_sha: HEAD, base_sha: BASE, base_ref: 'refs/heads/main' };

  it.each<[string, Env, unknown, Partial<Job>]>([
    ['a fork', {}, pullRequestOf('stranger/ads'), { isFork: true, pullRequest: 7 }],
    ['a fork that was deleted', {}, pullRequestOf(null), { isFork: true, pullRequest: 7 }],
    ['an event file that is not JSON', {}, '<html>', { isFork: true, pullRequest: 7 }],
    ['an event file of another form', {}, { pull_request: [] }, { isFork: true, pullRequest: 7 }],
    // Only a merge is known.
    ['no event file', { GITHUB_EVENT_PATH: undefined }, null, { head: null, isFork: true, base: null }],
    [
      'a push',
      ON_PUSH,
      pushed(BASE),
      { event: 'push', head: MERGE, base: BASE, branch: 'main', pullRequest: null, isFork: false },
    ],
    ['a push of a new branch', ON_PUSH, pushed(NONE), { base: null }],
    ['a tag', { ...ON_PUSH, GITHUB_REF_NAME: 'v1', GITHUB_REF_TYPE: 'tag' }, {}, { branch: null }],
    [
      'the merge queue',
      { GITHUB_EVENT_NAME: 'merge_group' },
      { merge_group: group },
      { event: 'merge-queue', head: HEAD, base: BASE, baseBranch: 'main' },
    ],
    ['a schedule', { GITHUB_EVENT_NAME: 'schedule' }, {}, { event: 'schedule' }],
    ['a start by hand', { GITHUB_EVENT_NAME: 'workflow_dispatch' }, {}, { event: 'other' }],
    ['a comment', { GITHUB_EVENT_NAME: 'issue_comment' }, {}, { event: 'other' }],
    ['the name of what every object has', { GITHUB_EVENT_NAME: '__proto__' }, {}, { event: 'other' }],
    [
      'variables that are not what they should be',
      { GITHUB_SHA: '--output=x', GITHUB_REPOSITORY: 'a b/../c', GITHUB_RUN_ID: '1;2' },
      {},
      { head: null, repository: null, run: null },
    ],
  ])('takes what it may from %s', async (_title, env, event, expected) => {
    expect(await job({ ...ON_GITHUB, ...env }, event)).toMatchObject(expected);
  });
});

describe('a job on GitLab', () => {
  it('has the merge request', async () => {
    expect(await job(ON_GITLAB)).toEqual({
      ...NO_JOB,
      provider: 'gitlab',
      event: 'pull-request',
      eventName: 'merge_request_event',
      repository: 'acme/eu/ads',
      head: HEAD,
      base: BASE,
      baseBranch: 'main',
      branch: 'spring',
      defaultBranch: 'main',
      pullRequest: 7,
      run: { id: '12', url: 'https://lab.example/acme/eu/ads/-/jobs/12' },
    });
  });

  const MERGED = {
    CI_COMMIT_SHA: MERGE,
    CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: HEAD,
    CI_MERGE_REQUEST_TARGET_BRANCH_SHA: BASE,
  };

  it.each<[string, Env, Partial<Job>]>([
    ['a merge of both branches that is checked out', MERGED, { head: HEAD, base: BASE }],
    [
      'a merge train, which runs after the review',
      { ...MERGED, CI_MERGE_REQUEST_EVENT_TYPE: 'merge_train' },
      { event: 'merge-queue', pullRequest: null },
    ],
    [
      'a fork with a pipeline in its own project',
      { CI_PROJECT_PATH: 'stranger/ads', CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'stranger/ads' },
      { isFork: true, repository: 'acme/eu/ads' },
    ],
    [
      'a source project without a name',
      { CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: undefined },
      { isFork: true },
    ],
  ])('takes what it may from %s', async (_title, env, expected) => {
    expect(await job({ ...ON_GITLAB, ...env })).toMatchObject(expected);
  });

  it('has the commit before a push, and none for a new branch', async () => {
    const env = {
      GITLAB_CI: 'true',
      CI_PIPELINE_SOURCE: 'push',
      CI_COMMIT_SHA: HEAD,
      CI_COMMIT_BRANCH: 'main',
    };
    expect(await job({ ...env, CI_COMMIT_BEFORE_SHA: BASE })).toMatchObject({
      event: 'push',
      base: BASE,
      branch: 'main',
      pullRequest: null,
      isFork: false,
    });
    expect(await job({ ...env, CI_COMMIT_BEFORE_SHA: NONE })).toMatchObject({ base: null });
  });
});

it('a job somewhere else has nothing, and --provider wins over the environment', async () => {
  expect(await job({})).toEqual(NO_JOB);
  expect(await detectJob(sourceOf(ON_GITLAB), 'generic')).toEqual(NO_JOB);
  expect(await detectJob(sourceOf(ON_GITLAB), 'github')).toMatchObject({ provider: 'github', run: null });
});

function job(env: Env, event: unknown = null): Promise<Job> {
  return detectJob(sourceOf(env, event));
}

function sourceOf(env: Env, event: unknown = null) {
  const text = typeof event === 'string' ? event : JSON.stringify(event);
  return {
    env,
    readText: (path: string) =>
      path === '/event.json' ? Promise.resolve(text) : Promise.reject(new Error(`no file ${path}`)),
  };
}

function pullRequestOf(repository: string | null) {
  return {
    repository: { default_branch: 'main' },
    pull_request: {
      number: 7,
      head: { sha: HEAD, ref: 'spring', repo: repository === null ? null : { full_name: repository } },
      base: { sha: BASE, ref: 'main' },
    },
  };
}
