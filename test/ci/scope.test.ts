import { expect, it } from 'vitest';
import { baseCommit, outdatedAsk } from '../../src/ci/scope.ts';
import { loadFiles } from '../../src/library/media.ts';
import { requireValid } from '../../src/workspace/load.ts';
import { campaign } from '../helpers/declare-live.ts';
import { aRepository } from '../helpers/git-repository.ts';
import { memoryRepository } from '../helpers/memory-repository.ts';
import { WORKSPACE } from '../helpers/scene.ts';

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

it('compares with a branch, and not with a tag of its name that anyone may push', async () => {
  const desk = aRepository();
  const start = desk.commit();
  desk.git('checkout', '--quiet', '-b', 'feature');
  desk.git('tag', 'main', desk.commit());
  expect(await baseCommit(await desk.open(), { base: 'main', head: null })).toBe(start);
});

it('refuses two histories without a common commit', async () => {
  const repository = memoryRepository([{ id: 'other', files }, ...HISTORY]);
  await expect(baseCommit(repository, { base: 'other', head: null })).rejects.toMatchObject({
    code: 'git-no-common-commit',
  });
});

const ports = { env: {}, interrupted: new AbortController().signal };

/** What the job of an older commit says of a campaign that its files declare, with these commits. */
async function outdatedAt(checkout: object, older: object, tip: object): Promise<string | null> {
  const base = { 'herald.yaml': WORKSPACE };
  const commits = { checkout, tip, older };
  const repository = memoryRepository(
    Object.entries(commits).map(([id, own]) => ({ id, files: { ...base, ...own } })),
    'tip',
  );
  const files = requireValid(await loadFiles({ ...ports, ...(await repository.treeOf('checkout')) }));
  const gate = await outdatedAsk(ports, repository, 'main', files)();
  return gate({ account: 'alice', kind: 'campaign', name: 'Welcome' });
}

const DECLARED = { 'live/a.yaml': JSON.stringify({ accounts: ['alice'], campaigns: [campaign()] }) };

it('lets no older job undo a newer one in a file that is a link, which no commit has as a file', async () => {
  expect(await outdatedAt(DECLARED, {}, {})).toContain('Outdated');
  expect(await outdatedAt(DECLARED, DECLARED, DECLARED)).toBe(null);
});

it('lets no older job change anything with a state that was left since', async () => {
  const older = { ...DECLARED, 'herald.yaml': `${WORKSPACE}state: { git_branch: states }\n` };
  const tip = { ...DECLARED, 'herald.yaml': `${WORKSPACE}state: { git_branch: newer }\n` };
  expect(await outdatedAt(older, older, tip)).toContain('does not declare the setting state as');
});
