import { describe, expect, it } from 'vitest';
import { detectJob, NO_JOB, type Job } from '../../src/provider/job.ts';

const HEAD = 'a'.repeat(40);
const BASE = 'b'.repeat(40);
const MERGE = 'c'.repeat(40);
const NONE = '0'.repeat(40);

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

  it.each([
    ['another repository', pullRequestOf('stranger/ads')],
    ['a repository that was deleted', pullRequestOf(null)],
    ['an event file that is not JSON', '<html>'],
    ['an event file with another content', { pull_request: [] }],
  ])('is of a fork with a head from %s', async (_title, event) => {
    expect(await job(ON_GITHUB, event)).toMatchObject({ isFork: true, pullRequest: 7 });
  });

  it('names no head without the event file, because only a merge is known', async () => {
    const env = { ...ON_GITHUB, GITHUB_EVENT_PATH: undefined };
    expect(await job(env)).toMatchObject({ head: null, isFork: true, base: null });
  });

  it('has the commit before a push, and none for a new branch', async () => {
    const env = { ...ON_GITHUB, GITHUB_EVENT_NAME: 'push', GITHUB_REF_NAME: 'main' };
    const pushed = (before: string) => ({ before, repository: { default_branch: 'main' } });
    expect(await job(env, pushed(BASE))).toMatchObject({
      event: 'push',
      head: MERGE,
      base: BASE,
      branch: 'main',
      pullRequest: null,
      isFork: false,
    });
    expect(await job(env, pushed(NONE))).toMatchObject({ base: null });
  });

  it('has no branch on a tag', async () => {
    const env = { ...ON_GITHUB, GITHUB_EVENT_NAME: 'push', GITHUB_REF_NAME: 'v1', GITHUB_REF_TYPE: 'tag' };
    expect(await job(env, {})).toMatchObject({ branch: null });
  });

  it('knows the merge queue', async () => {
    const group = { head_sha: HEAD, base_sha: BASE, base_ref: 'refs/heads/main' };
    expect(
      await job({ ...ON_GITHUB, GITHUB_EVENT_NAME: 'merge_group' }, { merge_group: group }),
    ).toMatchObject({ event: 'merge-queue', head: HEAD, base: BASE, baseBranch: 'main' });
  });

  it.each([
    ['schedule', 'schedule'],
    ['workflow_dispatch', 'manual'],
    ['issue_comment', 'other'],
    ['__proto__', 'other'],
  ])('of the event %s is %s', async (name, event) => {
    expect(await job({ ...ON_GITHUB, GITHUB_EVENT_NAME: name }, {})).toMatchObject({ event });
  });

  it('takes nothing from a variable that is not what it should be', async () => {
    const env = {
      ...ON_GITHUB,
      GITHUB_SHA: '--output=x',
      GITHUB_REPOSITORY: 'a b/../c',
      GITHUB_RUN_ID: '1;2',
    };
    expect(await job(env, {})).toMatchObject({ head: null, repository: null, run: null });
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

  it('has the head of the source branch where a merge of both is checked out', async () => {
    const env = {
      ...ON_GITLAB,
      CI_COMMIT_SHA: MERGE,
      CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: HEAD,
      CI_MERGE_REQUEST_TARGET_BRANCH_SHA: BASE,
    };
    expect(await job(env)).toMatchObject({ head: HEAD, base: BASE });
    expect(await job({ ...env, CI_MERGE_REQUEST_EVENT_TYPE: 'merge_train' })).toMatchObject({
      event: 'merge-queue',
    });
  });

  it.each([['stranger/ads'], [undefined]])('is of a fork with the source project %s', async (project) => {
    const env = { ...ON_GITLAB, CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: project };
    expect(await job(env)).toMatchObject({ isFork: true });
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

function job(env: Readonly<Record<string, string | undefined>>, event: unknown = null): Promise<Job> {
  return detectJob(sourceOf(env, event));
}

function sourceOf(env: Readonly<Record<string, string | undefined>>, event: unknown = null) {
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
