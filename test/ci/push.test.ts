import { expect, it } from 'vitest';
import { Push } from '../../src/ci/push.ts';
import { NO_JOB } from '../../src/provider/job.ts';
import type { Provider, PullRequest } from '../../src/provider/provider.ts';
import { memoryRepository } from '../helpers/memory-repository.ts';

const files = {};
const PULL = { number: 7 } as PullRequest;

/** A branch of which pull request 7 has its own commits. */
function aPush(commit: string, before: string | null, rebased = 2): Push {
  const own = Array.from({ length: rebased }, (_, at) => ({
    id: `own-${at + 1}`,
    parents: [at === 0 ? 'base' : `own-${at}`],
    files,
  }));
  const provider = {
    pullRequestsOf: async (id: string) => (id.startsWith('own') ? [PULL] : []),
  } as unknown as Provider;
  const repository = memoryRepository([
    { id: 'base', files },
    ...own,
    { id: 'merge', parents: ['base', 'own-2'], files },
    { id: 'own-merge', parents: ['own-1', 'base'], files },
  ]);
  return new Push({ ...NO_JOB, head: commit, base: before }, provider, repository, commit);
}

it.each([
  ['a push', 'own-2', 'before'],
  ['a merge', 'merge', null],
  ['a squash', 'own-1', null],
  ['a rebase of two commits', 'own-2', null],
  ['a fast-forward to a merge that people made', 'own-merge', null],
])('finds the base branch before %s', async (_title, commit, before) => {
  expect(await aPush(commit, before).findBase([PULL])).toBe(before ?? 'base');
});

it('knows none before the first commit', async () => {
  expect(await aPush('base', null).findBase([])).toBeNull();
});

it('refuses a rebase of too many commits, because the base before it may require an approval', async () => {
  expect(await aPush('own-249', null, 249).findBase([PULL])).toBe('base');
  await expect(aPush('own-251', null, 251).findBase([PULL])).rejects.toMatchObject({
    code: 'ci-unclear-review',
    details: { pull_requests: [7] },
  });
});
