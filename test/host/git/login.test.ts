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

const basic = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`;
const JOB = { GITLAB_CI: 'true', CI_JOB_TOKEN: 'job-token' };

const OF_JOB = basic('gitlab-ci-token:job-token');
const OWN = { HERALD_GITLAB_PUSH_TOKEN: 'secret-token' };

it.each<[string, Readonly<Record<string, string>>, string, string]>([
  ['pushes with HERALD_GITLAB_PUSH_TOKEN', { ...JOB, ...OWN }, OF_JOB, basic('oauth2:secret-token')],
  // As a project may allow it.
  ['pushes with its own token if it has no other', JOB, OF_JOB, OF_JOB],
  ['sends neither token outside of GitLab', { CI_JOB_TOKEN: 'job-token', ...OWN }, '', ''],
  ['sends neither token to another server', { ...JOB, CI_SERVER_URL: 'https://gitlab.example' }, '', ''],
])('a job %s', async (_title, variables, fetches, pushes) => {
  const heard = [`git-upload-pack ${fetches}`, `git-receive-pack ${pushes}`];
  expect(await hearLogins(variables)).toEqual(heard);
});
