import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { aRepository } from '../../helpers/git-repository.ts';
import { runGit } from '../../../src/host/git.ts';

/** What a server of GitLab hears of a push, and of a fetch, in a job with these variables. */
async function hearLogins(variables: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const heard: string[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    heard.push(
      `${new URL(url, 'http://here').searchParams.get('service') ?? ''} ${headers.authorization ?? ''}`,
    );
    response.writeHead(403).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const repository = aRepository();
  repository.commit({ a: '1' });
  repository.git('remote', 'add', 'origin', `http://${host}/acme/ads.git`);
  const ci = { CI_SERVER_URL: `http://${host}`, CI_PROJECT_URL: `http://${host}/acme/ads` };
  const place = { directory: repository.directory, env: { ...process.env, ...ci, ...variables } };
  await runGit(place, ['fetch', 'origin']);
  await runGit(place, ['push', 'origin', 'HEAD:refs/heads/state']);
  return heard;
}

it('a job of GitLab pushes with HERALD_GITLAB_PUSH_TOKEN, and fetches without it', async () => {
  const login = `Basic ${Buffer.from('oauth2:secret-token').toString('base64')}`;
  expect(await hearLogins({ GITLAB_CI: 'true', HERALD_GITLAB_PUSH_TOKEN: 'secret-token' })).toEqual([
    'git-upload-pack ',
    `git-receive-pack ${login}`,
  ]);
});

it('no other push has that token', async () => {
  expect(await hearLogins({ HERALD_GITLAB_PUSH_TOKEN: 'secret-token' })).toEqual([
    'git-upload-pack ',
    'git-receive-pack ',
  ]);
});
