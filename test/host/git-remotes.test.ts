import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gitRepository } from '../../src/host/git-remotes.ts';
import { writeFiles } from '../helpers/folders.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const CONFIG = `[core]
\trepositoryformatversion = 0
[remote "origin"]
\turl = git@github.com:acme/ads.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[remote "upstream"]
\turl = https://github.com/agency/ads
[branch "main"]
\turl = https://github.com/not/this
`;

it('names the remotes of a repository, and the folder in it', () => {
  const root = temporaryFolder({ '.git/config': CONFIG, 'ads/eu/herald.yaml': '' });
  expect(gitRepository(root)?.names).toEqual(['acme/ads:', 'agency/ads:']);
  expect(gitRepository(join(root, 'ads/eu'))?.names).toEqual(['acme/ads:ads/eu', 'agency/ads:ads/eu']);
});

it('names those of the repository of a worktree', () => {
  const root = temporaryFolder({ 'main/.git/config': CONFIG, 'main/.git/worktrees/wt/commondir': '../..\n' });
  writeFiles(root, { 'wt/.git': `gitdir: ${join(root, 'main/.git/worktrees/wt')}\n` });
  expect(gitRepository(join(root, 'wt'))?.names).toEqual(['acme/ads:', 'agency/ads:']);
});

it('knows nothing of a folder without git, or with a broken one', () => {
  expect(gitRepository(temporaryFolder({ '.git': 'gitdir: /nowhere\n' }))).toBeNull();
});

it.each([
  ['https://github.com/Acme/Ads.git', 'Acme/Ads'],
  ['git@github.com:acme/ads.git', 'acme/ads'],
  ['ssh://git@git.corp:7999/scm/acme/ads/', 'scm/acme/ads'],
  ['https://gitlab-ci-token:hidden-pass@gitlab.com/group/acme/ads.git', 'group/acme/ads'],
  ['/home/ana/ads', null],
  ['../ads', null],
  ['file:///srv/git/ads.git', null],
  ['C:\\ads', null],
])('the repository of %s is %s', (url, path) => {
  const root = temporaryFolder({ '.git/config': `[remote "origin"]\n\turl = ${url}\n` });
  expect(gitRepository(root)?.remotes.map((remote) => remote.path)).toEqual(path === null ? [] : [path]);
});
