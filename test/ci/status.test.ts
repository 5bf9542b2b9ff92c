import { describe, expect, it } from 'vitest';
import { deskJob } from '../../src/ci/status.ts';

const PATHS = ['acme/ads'];

describe('the job of a desk', () => {
  it.each([
    ['github.com', {}, 'github'],
    ['gitlab.com', {}, 'gitlab'],
    ['github.acme.example', { GITHUB_SERVER_URL: 'https://github.acme.example' }, 'github'],
    ['git.acme.example', { CI_SERVER_URL: 'https://git.acme.example:8443' }, 'gitlab'],
  ])('is on the server of the remote: %s', (host, env, provider) => {
    const { job, because } = deskJob({ hosts: [host], paths: PATHS, env });
    expect([job.provider, job.repository, because]).toEqual([provider, 'acme/ads', null]);
  });

  it('keeps all groups of a project', () => {
    const { job } = deskJob({ hosts: ['gitlab.com'], paths: ['acme/eu/ads'], env: {} });
    expect(job.repository).toBe('acme/eu/ads');
  });

  it('is on the server that a person asks for, if both are there', () => {
    const url = 'https://git.acme.example';
    const env = { GITHUB_SERVER_URL: url, CI_SERVER_URL: url };
    const desk = { hosts: ['git.acme.example'], paths: PATHS, env, asked: 'gitlab' } as const;
    expect(deskJob(desk).job.provider).toBe('gitlab');
  });

  it.each([
    [
      'another host, which would get the token',
      ['git.acme.example'],
      PATHS,
      /export CI_SERVER_URL=https:\/\/git\.acme/,
    ],
    ['a host that only looks like it', ['github.com.evil.example'], PATHS, /GITHUB_SERVER_URL/],
    ['two hosts', ['github.com', 'gitlab.com'], PATHS, /several hosts: github\.com, gitlab\.com/],
    [
      'a fork and its origin',
      ['github.com'],
      ['acme/ads', 'me/ads'],
      /several repositories: acme\/ads, me\/ads/,
    ],
    ['no remote', [], [], /has no remote.* GITHUB_REPOSITORY/],
  ])('is none for %s, and says what to set', (_title, hosts, paths, words) => {
    const { job, because } = deskJob({ hosts, paths, env: {} });
    expect([job.provider, because]).toEqual(['generic', expect.stringMatching(words)]);
  });

  it('is none for a provider that the remote is not on', () => {
    const { job } = deskJob({ hosts: ['github.com'], paths: PATHS, env: {}, asked: 'gitlab' });
    expect(job.provider).toBe('generic');
  });
});
