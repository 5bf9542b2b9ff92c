import { expect, it } from 'vitest';
import { beforeMerge } from '../../src/ci/merged-reviews.ts';
import type { Provider, PullRequest } from '../../src/provider/provider.ts';
import { memoryRepository } from '../helpers/memory-repository.ts';

const files = {};
const REPOSITORY = memoryRepository([
  { id: 'base', files },
  { id: 'own-1', parents: ['base'], files },
  { id: 'own-2', parents: ['own-1'], files },
  { id: 'merge', parents: ['base', 'own-2'], files },
  { id: 'own-merge', parents: ['own-1', 'base'], files },
]);

/** A provider that names pull request 7 for its own commits on the branch. */
const PROVIDER = {
  pullRequestsOf: async (commit: string) => (commit.startsWith('own') ? [{ number: 7 } as PullRequest] : []),
} as unknown as Provider;

it.each([
  ['a merge', { head: 'own-2', mergeCommit: 'merge' }],
  ['a squash', { head: 'elsewhere', mergeCommit: 'own-1' }],
  ['a rebase of two commits', { head: 'elsewhere', mergeCommit: 'own-2' }],
  ['a fast-forward of two commits', { head: 'own-2', mergeCommit: 'own-2' }],
  ['a fast-forward to a merge that people made', { head: 'own-merge', mergeCommit: 'own-merge' }],
])('finds the base branch before %s', async (_title, pull) => {
  expect(await beforeMerge(PROVIDER, REPOSITORY, { number: 7, ...pull })).toBe('base');
});

it('says nothing if the provider names no commit', async () => {
  expect(await beforeMerge(PROVIDER, REPOSITORY, { number: 7, head: 'own-2', mergeCommit: null })).toBeNull();
});

/** A branch with so many rebased commits of pull request 7. */
function rebased(commits: number) {
  return memoryRepository([
    { id: 'base', files },
    ...Array.from({ length: commits }, (_, at) => ({
      id: `own-${at + 1}`,
      parents: [at === 0 ? 'base' : `own-${at}`],
      files,
    })),
  ]);
}

it('finds the base branch before a rebase of 249 commits', async () => {
  const pull = { number: 7, head: 'elsewhere', mergeCommit: 'own-249' };
  expect(await beforeMerge(PROVIDER, rebased(249), pull)).toBe('base');
});

it('refuses a pull request with more commits, because the base before it may require an approval', async () => {
  const pull = { number: 7, head: 'elsewhere', mergeCommit: 'own-251' };
  await expect(beforeMerge(PROVIDER, rebased(251), pull)).rejects.toMatchObject({
    code: 'ci-unclear-review',
    details: { pull_requests: [7] },
  });
});
