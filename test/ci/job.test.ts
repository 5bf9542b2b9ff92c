import { expect, it } from 'vitest';
import { openJob } from '../../src/ci/job.ts';
import { HeraldError } from '../../src/domain/herald-error.ts';

const gitHub = (event: string, branch: string) => ({
  GITHUB_ACTIONS: 'true',
  GITHUB_EVENT_NAME: event,
  GITHUB_REF_NAME: branch,
  GITHUB_EVENT_PATH: '/event.json',
});
const gitLab = (source: string, branch: string) => ({
  GITLAB_CI: 'true',
  CI_PIPELINE_SOURCE: source,
  CI_COMMIT_BRANCH: branch,
  CI_DEFAULT_BRANCH: 'main',
});
const EVENT_FILE = { repository: { default_branch: 'main' } };

type Env = Readonly<Record<string, string>>;

/** The commands that run in such a job. */
async function runningOn(env: Env, branch?: string): Promise<readonly string[]> {
  const files = { readText: async () => JSON.stringify(EVENT_FILE) };
  const context = { env, typed: { files } } as unknown as Parameters<typeof openJob>[0];
  const running: string[] = [];
  for (const command of ['plan', 'apply', 'drift'] as const) {
    const asked = { provider: undefined, allowUnsafeEvent: false };
    const job = openJob(context, { ...asked, branch: command === 'plan' ? undefined : branch }, command);
    await job.then(
      () => running.push(command),
      (error: unknown) => expect(error).toBeInstanceOf(HeraldError),
    );
  }
  return running;
}

it.each([
  ['a pull request of GitHub', gitHub('pull_request', '7/merge'), ['plan']],
  ['a merge queue of GitHub', gitHub('merge_group', 'gh-readonly-queue/main/pr-7'), ['plan']],
  ['a push to main', gitHub('push', 'main'), ['plan', 'apply', 'drift']],
  ['a push to another branch', gitHub('push', 'spring'), []],
  ['a schedule', gitHub('schedule', 'main'), ['plan', 'apply', 'drift']],
  ['a run by hand', gitHub('workflow_dispatch', 'main'), []],
  ['a comment', gitHub('issue_comment', 'main'), []],
  ['another workflow', gitHub('workflow_run', 'main'), []],
  ['a pull request with the secrets of the base', gitHub('pull_request_target', 'main'), []],
  ['a merge request of GitLab', gitLab('merge_request_event', ''), ['plan']],
  ['a push to main on GitLab', gitLab('push', 'main'), ['plan', 'apply', 'drift']],
  ['a push to another branch on GitLab', gitLab('push', 'spring'), []],
  ['a schedule of another branch on GitLab', gitLab('schedule', 'spring'), []],
  ['a trigger on GitLab', gitLab('trigger', 'main'), []],
  ['a chat on GitLab', gitLab('chat', 'main'), []],
  ['a shell', {}, ['plan', 'apply', 'drift']],
])('%s runs only what it may', async (_title, env: Env, commands) => {
  expect(await runningOn(env)).toEqual(commands);
});

it('applies a push to the branch that --branch names, and looks for its drift from a schedule of either branch', async () => {
  expect(await runningOn(gitHub('push', 'release'), 'release')).toEqual(['apply', 'drift']);
  expect(await runningOn(gitLab('schedule', 'release'), 'release')).toEqual(['apply', 'drift']);
  expect(await runningOn(gitHub('schedule', 'main'), 'release')).toEqual(['plan', 'drift']);
});
