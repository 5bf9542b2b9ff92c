import { expect, it } from 'vitest';
import { baseCommit } from '../../src/ci/scope.ts';
import { memoryRepository } from '../helpers/memory-repository.ts';

const files = {};
const HISTORY = [
  { id: 'start', files },
  { id: 'head', parents: ['start'], files },
  { id: 'main', parents: ['start'], files },
];
const MERGE = { id: 'merge', parents: ['main', 'head'], files };

it('compares a merge of the pull request with the base that it was merged into', async () => {
  const repository = memoryRepository([...HISTORY, MERGE]);
  // The event may name an older base.
  expect(await baseCommit(repository, { base: 'start', head: 'head' })).toBe('main');
});

it('compares the head itself with the last common commit', async () => {
  const repository = memoryRepository([HISTORY[0], HISTORY[2], HISTORY[1]].flatMap((one) => one ?? []));
  expect(await baseCommit(repository, { base: 'main', head: 'head' })).toBe('start');
});

it('compares a branch that merged its base with that base', async () => {
  const updated = { id: 'updated', parents: ['head', 'main'], files };
  const repository = memoryRepository([...HISTORY, updated]);
  expect(await baseCommit(repository, { base: 'main', head: 'updated' })).toBe('main');
});

it('refuses two histories without a common commit', async () => {
  const repository = memoryRepository([{ id: 'other', files }, ...HISTORY]);
  await expect(baseCommit(repository, { base: 'other', head: null })).rejects.toMatchObject({
    code: 'git-no-common-commit',
  });
});
