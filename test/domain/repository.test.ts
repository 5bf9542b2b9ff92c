import { describe, expect, it } from 'vitest';
import { mayBeSame, remoteName } from '../../src/domain/repository.ts';

const known = (remotes: readonly string[], service: string | null = null) => ({ remotes, service });
const ADS = 'acme/ads:';

describe('two workspaces', () => {
  it.each([
    ['of one repository, with another service', known([ADS], 'https://a'), known([ADS], 'https://b'), true],
    ['of a fork that knows the first one', known(['ana/ads:', ADS]), known([ADS]), true],
    [
      'of two repositories with one service',
      known([ADS], 'https://a'),
      known(['acme/us:'], 'https://a'),
      false,
    ],
    ['in two folders of one repository', known(['acme/ads:eu']), known(['acme/ads:us']), false],
    ['without git, with one service', known([], 'https://a'), known([ADS], 'https://a'), true],
    ['without git, with two services', known([], 'https://a'), known([ADS], 'https://b'), false],
    ['of which nothing is known', known([]), known([ADS], 'https://a'), true],
  ])('%s', (_, left, right, isSame) => {
    expect(mayBeSame(left, right)).toBe(isSame);
    expect(mayBeSame(right, left)).toBe(isSame);
  });
});

describe('the name of a repository', () => {
  it.each([
    ['https://github.com/Acme/Ads.git', 'acme/ads'],
    ['git@github.com:acme/ads.git', 'acme/ads'],
    ['ssh://git@git.corp:7999/scm/acme/ads/', 'acme/ads'],
    ['https://gitlab-ci-token:hidden-pass@gitlab.com/group/acme/ads.git', 'acme/ads'],
    ['/home/ana/ads', null],
    ['../ads', null],
    ['file:///srv/git/ads.git', null],
    ['C:\\ads', null],
  ])('of %s is %s', (url, name) => {
    expect(remoteName(url)).toBe(name);
  });
});
