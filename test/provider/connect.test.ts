import { describe, expect, it, onTestFinished } from 'vitest';
import { createOutput } from '../../src/host/output.ts';
import { openJob } from '../../src/ci/job.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { serveGitHub } from './github-server.ts';
import { serveGitLab } from './gitlab-server.ts';

type Env = Readonly<Record<string, string | undefined>>;

const HEAD = 'a'.repeat(40);

describe('the provider of a job', () => {
  it('is none elsewhere', async () => {
    expect(await connected({ GITHUB_TOKEN: 'bot-token' })).toBeNull();
  });

  it.each([
    ['GITHUB_SERVER_URL', 'GITHUB_API_URL', 'github', serveGitHub],
    ['CI_SERVER_URL', 'CI_API_V4_URL', 'gitlab', serveGitLab],
  ] as const)('is at the address of %s if nothing names its API', async (server, api, name, serve) => {
    const served = await serve();
    onTestFinished(served.close);
    const { number } = served.world.open({ head: HEAD });
    const env: Env = { ...served.env, [api]: undefined, [server]: served.origins.api };
    const provider = await connected(env, name);
    expect(await provider?.pullRequest(number)).toMatchObject({ number });
    expect(served.requests[0]?.headers['user-agent']).toMatch(/^herald\//);
  });

  const ON_GITHUB = { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/ads', GITHUB_TOKEN: 'bot-token' };
  const ON_GITLAB_JOB = { GITLAB_CI: 'true', CI_PROJECT_PATH: 'acme/ads' };
  const ON_GITLAB = { ...ON_GITLAB_JOB, GITLAB_TOKEN: 'bot-token' };

  const NEEDS_TOKEN = 'provider-no-token';
  const ODD = 'provider-odd-answer';

  it.each<[string, Env, string, string]>([
    ['no token', { ...ON_GITHUB, GITHUB_TOKEN: undefined }, NEEDS_TOKEN, 'github.token'],
    ['an empty token', { ...ON_GITHUB, GITHUB_TOKEN: ' ' }, 'empty-secret', 'Put the secret there'],
    ['one empty token', { ...ON_GITLAB, HERALD_GITLAB_TOKEN: '' }, 'empty-secret', 'Put the secret there'],
    ['the token of a job', { ...ON_GITLAB_JOB, CI_JOB_TOKEN: 'x' }, NEEDS_TOKEN, 'CI_JOB_TOKEN cannot write'],
    ['a token of two lines', { ...ON_GITHUB, GITHUB_TOKEN: 'a\nb' }, NEEDS_TOKEN, 'github.token'],
    ['no repository', { ...ON_GITHUB, GITHUB_REPOSITORY: '' }, 'provider-not-found', 'owner/name'],
    ['no encryption', { ...ON_GITHUB, GITHUB_API_URL: 'http://github.example' }, ODD, 'GITHUB_API_URL'],
    ['a wrong address', { ...ON_GITLAB, CI_API_V4_URL: 'nowhere' }, ODD, 'CI_API_V4_URL'],
  ])('is refused with %s', async (_title, env, code, next) => {
    await expect(connected(env)).rejects.toMatchObject({
      code,
      hint: expect.stringContaining(next) as string,
    });
  });

  it('takes GH_TOKEN where GITHUB_TOKEN is not set, as gh does', async () => {
    const { GITHUB_TOKEN: _none, ...env } = ON_GITHUB;
    expect((await connected({ ...env, GH_TOKEN: 'ana-token' }))?.bodyMax).toBe(65_536);
  });
});

const silent = { write: () => true };
const SILENT = createOutput({ stdout: silent, stderr: silent, noColour: true, quiet: true });

async function connected(env: Env, name?: 'github' | 'gitlab'): Promise<Provider | null> {
  const files = { readText: () => Promise.reject(new Error('no file')) };
  const typed = { files } as unknown as Parameters<typeof openJob>[0]['typed'];
  const context = { env, typed, clock: flowClock(), output: SILENT };
  return (await openJob(context, { provider: name, allowUnsafeEvent: true }, 'plan')).provider();
}
