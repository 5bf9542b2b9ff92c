import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { workspaceFiles } from '../../../src/host/files.ts';
import { campaign } from '../../helpers/declare-live.ts';
import { aRepository } from '../../helpers/git-repository.ts';
import { WORKSPACE } from '../../helpers/scene.ts';
import { loadFiles } from '../../../src/library/media.ts';

it('reads files as a commit has them, not as they are now', async () => {
  const origin = aRepository();
  const commit = origin.commit({ 'live/a.yaml': 'old', 'live/b.yaml': 'gone' });
  origin.commit({ 'live/a.yaml': 'new', 'live/b.yaml': null });
  const tree = await (await origin.open()).treeOf(commit);
  expect(await tree.files.glob(['live/*.yaml'])).toEqual(['live/a.yaml', 'live/b.yaml']);
  expect(
    await Promise.all(['live/a.yaml', './live//b.yaml'].map((path) => tree.files.readText(path))),
  ).toEqual(['old', 'gone']);
  expect(await tree.files.exists('live/b.yaml')).toBe(true);
  await expect(tree.files.readText('live/c.yaml')).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(tree.files.readText('../live/a.yaml')).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(tree.files.writeAtomically('live/a.yaml', '')).rejects.toThrow('cannot be written');
});

it('reads names with spaces, quotes, line breaks and letters of any language, and empty and large files', async () => {
  const origin = aRepository();
  const large = 'x\n'.repeat(400_000);
  const files = {
    'live/with space.yaml': 'space',
    'live/"quotes".yaml': 'quotes',
    'live/line\nbreak.yaml': 'break',
    'live/Ünï – 名.yaml': 'letters',
    'live/-rf.yaml': 'dash',
    'live/empty.yaml': '',
    'live/large.yaml': large,
  };
  const commit = origin.commit(files);
  const tree = await (await origin.open()).treeOf(commit);
  expect((await tree.files.glob(['live/**/*.yaml'])).toSorted()).toEqual(Object.keys(files).toSorted());
  for (const [path, content] of Object.entries(files)) expect(await tree.files.readText(path)).toBe(content);
});

/** A repository with another one as a submodule, which has this file. */
function withSubmodule(path: string, file: string) {
  const [origin, other] = [aRepository(), aRepository()];
  other.commit({ [file]: 'other' });
  origin.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '--quiet', other.directory, path);
  return origin;
}

it('follows no link and no submodule', async () => {
  const origin = withSubmodule('live/module', 'secret.yaml');
  origin.write({ 'live/real.yaml': 'real' });
  symlinkSync('/etc/passwd', join(origin.directory, 'live/link.yaml'));
  symlinkSync('../live', join(origin.directory, 'live/loop'));
  const commit = origin.commit();
  const tree = await (await origin.open()).treeOf(commit);
  expect(await tree.files.glob(['live/**/*.yaml'])).toEqual(['live/real.yaml']);
  await expect(tree.files.readText('live/link.yaml')).rejects.toMatchObject({ code: 'ENOENT' });
});

it('tells an absent file from a link, a folder or a submodule on the way to it', async () => {
  const origin = withSubmodule('module', 'herald.yaml');
  origin.write({ 'real/eu/herald.yaml': 'real', 'folder/eu/herald.yaml/x': 'x', 'file/eu': 'x' });
  origin.write({ 'real/eu/campaigns/a.yaml': '', 'real/b.yaml': '', 'without/eu/campaigns/a.yaml': '' });
  symlinkSync('real', join(origin.directory, 'above'));
  mkdirSync(join(origin.directory, 'link/eu'), { recursive: true });
  symlinkSync('../../real/eu/herald.yaml', join(origin.directory, 'link/eu/herald.yaml'));
  const commit = origin.commit();
  const kindAt = async (folder: string) => {
    mkdirSync(join(origin.directory, folder), { recursive: true });
    const at = await (await origin.open(folder)).fileAt(commit, 'herald.yaml');
    return at.kind === 'regular' ? at.text : at.kind;
  };
  expect(await kindAt('real/eu')).toBe('real');
  expect([await kindAt('new/eu'), await kindAt('without/eu')]).toEqual(['absent', 'absent']);
  expect([await kindAt('link/eu'), await kindAt('folder/eu')]).toEqual(['irregular', 'irregular']);
  for (const name of ['above', 'module', 'file/eu'])
    rmSync(join(origin.directory, name), { recursive: true });
  for (const folder of ['above/eu', 'module/eu', 'file/eu'])
    expect([folder, await kindAt(folder)]).toEqual([folder, 'irregular']);
});

it('streams a part of a large file', async () => {
  const origin = aRepository();
  const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251);
  const commit = origin.commit({ 'media/a.jpg': bytes });
  const { bytes: files } = await (await origin.open()).treeOf(commit);
  expect(await files.stat('media/a.jpg')).toMatchObject({ isFile: true, size: 300_000 });
  const read: Uint8Array[] = [];
  for await (const piece of files.readBytes('media/a.jpg', { start: 70_000, length: 130_000 }))
    read.push(piece);
  expect(Buffer.concat(read).equals(bytes.subarray(70_000, 200_000))).toBe(true);
});

it('takes a pointer of Git LFS for the file that it stands for', async () => {
  const origin = aRepository();
  const attachments = [{ file: 'a.png' }];
  const welcome = campaign({ messages: [{ text: 'Hey', attachments }] });
  const digest = `sha256:${'0f'.repeat(32)}`;
  const commit = origin.commit({
    'herald.yaml': WORKSPACE,
    'live/a.yaml': JSON.stringify({ accounts: ['alice'], campaigns: [welcome] }),
    'live/a.png': `version https://git-lfs.github.com/spec/v1\noid ${digest}\nsize 12345\n`,
  });
  const ports = { env: {}, interrupted: new AbortController().signal };
  const loaded = await loadFiles({ ...ports, ...(await (await origin.open()).treeOf(commit)) }, 'read');
  const file = { name: 'a.png', size: 12_345, content_type: 'image/png', digest };
  expect(loaded).toMatchObject({ declared: [{ content: { messages: [{ attachments: [{ file }] }] } }] });
});

it.each([
  [['live/*.yaml']],
  [['live/**/*.yaml']],
  [['**/*.yaml', '**/*.yml']],
  [['live/**/*.yaml', '!live/old/**']],
  [['live/b*']],
  [['live/?.yaml', '.hidden/*.yaml']],
  [['none/**']],
])('matches %j as in a folder', async (patterns) => {
  const origin = aRepository();
  const commit = origin.commit({
    'live/a.yaml': '',
    'live/b1.yml': '',
    'live/deep/er/c.yaml': '',
    'live/old/d.yaml': '',
    'live/.dot.yaml': '',
    '.hidden/e.yaml': '',
    'other/f.yaml': '',
  });
  const tree = await (await origin.open()).treeOf(commit);
  expect(await tree.files.glob(patterns)).toEqual(await workspaceFiles(origin.directory).glob(patterns));
});
