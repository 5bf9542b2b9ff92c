import { expect, it } from 'vitest';
import { deskJob } from '../../src/ci/desk-job.ts';

const GITHUB = ['github.com'];

it('takes the repository of a person from the remote', () => {
  const job = deskJob({ hosts: GITHUB, remotes: ['acme/ads:eu'] });
  expect([job.provider, job.repository]).toEqual(['github', 'acme/ads']);
});

it.each([
  ['another host, which would get the token', ['github.acme.example'], ['acme/ads:']],
  ['a host that only looks like it', ['github.com.evil.example'], ['acme/ads:']],
  ['two hosts', ['github.com', 'gitlab.com'], ['acme/ads:']],
  ['a fork and its origin', GITHUB, ['acme/ads:', 'me/ads:']],
  ['no remote', [], []],
])('takes none from %s', (_title, hosts, remotes) => {
  expect(deskJob({ hosts, remotes }).provider).toBe('generic');
});
