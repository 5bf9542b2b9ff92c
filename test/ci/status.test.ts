import { describe, expect, it } from 'vitest';
import { describeNoDesk, deskJob } from '../../src/ci/status.ts';

const PATHS = ['acme/ads'];

describe('the job of a desk', () => {
  it.each([
    ['github.com', {}, 'github'],
    ['gitlab.com', {}, 'gitlab'],
    ['github.acme.example', { GITHUB_SERVER_URL: 'https://github.acme.example' }, 'github'],
    ['git.acme.example', { CI_SERVER_URL: 'https://git.acme.example:8443' }, 'gitlab'],
  ])('is on the server of the remote: %s', (host, env, provider) => {
    const job = deskJob({ hosts: [host], paths: PATHS, env });
    expect([job?.provider, job?.repository]).toEqual([provider, 'acme/ads']);
  });

  it('is on the server that a person asks for, if both are there', () => {
    const url = 'https://git.acme.example';
    const env = { GITHUB_SERVER_URL: url, CI_SERVER_URL: url };
    const desk = { hosts: ['git.acme.example'], paths: ['acme/eu/ads'], env, asked: 'gitlab' } as const;
    expect(deskJob(desk)).toMatchObject({ provider: 'gitlab', repository: 'acme/eu/ads' });
  });

  it.each([
    ['another host, which would get the token', ['git.acme.example'], PATHS],
    ['a host that only looks like it', ['github.com.evil.example'], PATHS],
    ['two hosts', ['github.com', 'gitlab.com'], PATHS],
    ['a fork and its origin', ['github.com'], ['acme/ads', 'me/ads']],
    ['no remote', [], []],
    ['a provider that the remote is not on', ['github.com'], PATHS, 'gitlab' as const],
  ])('is none for %s', (_title, hosts, paths, asked?: 'gitlab') => {
    expect(deskJob({ hosts, paths, env: {}, asked })).toBeNull();
  });

  it('says what was found, and what to set', () => {
    const words = describeNoDesk({ hosts: ['git.acme.example'], paths: ['acme/ads', 'me/ads'] });
    expect(words).toContain('(git.acme.example, acme/ads, me/ads)');
    expect(words).toContain('export CI_SERVER_URL=https://git.acme.example CI_PROJECT_PATH=group/name');
  });
});
