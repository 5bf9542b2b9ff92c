import { expect, it } from 'vitest';
import { createHash } from 'node:crypto';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseCommit, outdatedAsk } from '../../src/ci/scope.ts';
import { workspaceBytes, workspaceFiles } from '../../src/host/files.ts';
import { openRepository } from '../../src/host/git.ts';
import { loadFiles } from '../../src/library/media.ts';
import { requireValid } from '../../src/workspace/load.ts';
import { aRepository, type TestRepository } from '../helpers/git-repository.ts';
import { named } from '../flows/ci-story.ts';
import { campaign } from '../helpers/declare-live.ts';
import { WORKSPACE } from '../helpers/scene.ts';
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

/** What the job of an older commit may not do to a campaign. */
async function outdatedAt(
  origin: TestRepository,
  commit: string,
  fetched: Readonly<Record<string, Uint8Array>> = {},
): Promise<string | null> {
  const directory = origin.checkOut(commit);
  for (const [path, bytes] of Object.entries(fetched)) writeFileSync(join(directory, path), bytes);
  const ports = { env: {}, interrupted: new AbortController().signal };
  const place = { files: workspaceFiles(directory), bytes: workspaceBytes(directory) };
  const files = requireValid(await loadFiles({ ...ports, ...place }, 'read'));
  const repository = await openRepository({ directory, env: process.env });
  const gate = await outdatedAsk(ports, repository, 'main', files)();
  return gate({ account: 'alice', kind: 'campaign', name: 'Welcome' });
}

const declared = (text: string) =>
  JSON.stringify({ accounts: ['alice'], campaigns: [named('Welcome', text)] });

it('lets no older job undo a newer one in a file that is a link inside the workspace', async () => {
  const origin = aRepository();
  origin.write({
    'herald.yaml': WORKSPACE,
    'shared/a.yaml': declared('old'),
    'live/none.yaml': 'campaigns: []\n',
  });
  symlinkSync('../shared/a.yaml', join(origin.directory, 'live/a.yaml'));
  const older = origin.commit();
  origin.commit({ 'shared/a.yaml': declared('new') });
  expect(await outdatedAt(origin, older)).toContain('Outdated');
});

it('takes a pointer of Git LFS in a commit for the file that the job has', async () => {
  const origin = aRepository();
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const oid = createHash('sha256').update(png).digest('hex');
  const attachments = [{ file: 'a.png' }];
  const welcome = campaign({ messages: [{ text: 'Hey', attachments }] });
  origin.write({
    'herald.yaml': WORKSPACE,
    'live/a.yaml': JSON.stringify({ accounts: ['alice'], campaigns: [welcome] }),
  });
  const pointer = (digest: string) =>
    `version https://git-lfs.github.com/spec/v1\noid sha256:${digest}\nsize ${png.length}\n`;
  const older = origin.commit({ 'live/a.png': pointer(oid) });
  origin.commit({ 'README.md': 'another merge' });
  const withMedia = { 'live/a.png': png };
  expect(await outdatedAt(origin, older, withMedia)).toBe(null);
  origin.commit({ 'live/a.png': pointer('0'.repeat(64)) });
  expect(await outdatedAt(origin, older, withMedia)).toContain('Outdated');
});

it('lets no older job change anything with a state that was left since', async () => {
  const origin = aRepository();
  const workspaceAt = (branch: string) => `${WORKSPACE}state: { git_branch: ${branch} }\n`;
  const older = origin.commit({ 'herald.yaml': workspaceAt('states'), 'live/a.yaml': declared('same') });
  origin.commit({ 'herald.yaml': workspaceAt('newer-states') });
  expect(await outdatedAt(origin, older)).toContain('does not declare the setting state as');
});
