import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { typedFiles, workspaceFiles } from '../../src/host/files.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { JPEG, mediaOf } from '../helpers/media.ts';

let directory: string;
const files = () => workspaceFiles(directory);

beforeEach(() => {
  directory = temporaryFolder();
});

describe('files of a workspace', () => {
  it('name the nearest folder above that has a file', () => {
    writeFileSync(join(directory, 'herald.yaml'), '');
    mkdirSync(join(directory, 'campaigns', 'eu'), { recursive: true });
    const below = workspaceFiles(join(directory, 'campaigns', 'eu'));
    expect(below.findAbove?.('herald.yaml')).toBe('../..');
    expect(files().findAbove?.('herald.yaml.of-no-folder')).toBeNull();
  });

  it('are replaced where a link leads, and the link stays', async () => {
    mkdirSync(join(directory, 'shared'));
    writeFileSync(join(directory, 'shared/a.yaml'), 'old');
    chmodSync(join(directory, 'shared/a.yaml'), 0o664);
    symlinkSync('shared/a.yaml', join(directory, 'a.yaml'));
    await files().writeAtomically('a.yaml', 'new');
    expect(lstatSync(join(directory, 'a.yaml')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(directory, 'shared/a.yaml'), 'utf8')).toBe('new');
    expect(statSync(join(directory, 'shared/a.yaml')).mode & 0o777).toBe(0o664);
    expect(readdirSync(join(directory, 'shared'))).toEqual(['a.yaml']);
  });

  it('are written where a link leads that leads to nothing yet', async () => {
    symlinkSync('b.yaml', join(directory, 'a.yaml'));
    symlinkSync('shared/new/c.yaml', join(directory, 'b.yaml'));
    await files().writeAtomically('a.yaml', 'new');
    expect(readFileSync(join(directory, 'shared/new/c.yaml'), 'utf8')).toBe('new');
    expect(lstatSync(join(directory, 'a.yaml')).isSymbolicLink()).toBe(true);
    expect(await files().leadsTo('b.yaml')).toBe('shared/new/c.yaml');
    symlinkSync('loop', join(directory, 'loop'));
    expect(await files().leadsTo('loop/x')).toBe('loop/x');
  });

  it('stand in a folder that only their owner can open', async () => {
    await files().writeAtomically('.herald/world.json', '');
    expect(statSync(join(directory, '.herald')).mode & 0o777).toBe(0o700);
  });
});

async function all(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(Uint8Array.from(piece));
  return Buffer.concat(read);
}

const MIB = 2 ** 20;

describe('large files', () => {
  it('are read in pieces, any range of them, byte for byte', async () => {
    const content = mediaOf(JPEG, 5 * MIB + 3);
    writeFileSync(join(directory, 'a.jpg'), content);
    for (const [start, length] of [
      [0, content.length],
      [0, 1],
      [content.length - 1, 1],
      [2 * MIB - 1, 2 * MIB + 2],
      [7, 0],
    ] as const) {
      const read = await all(files().readBytes('a.jpg', { start, length }));
      expect(read.equals(content.subarray(start, start + length)), `${start}+${length}`).toBe(true);
    }
  });

  it('say what stands at a path', async () => {
    mkdirSync(join(directory, 'folder'));
    writeFileSync(join(directory, 'a.jpg'), JPEG);
    expect(await files().stat('a.jpg')).toMatchObject({
      isFile: true,
      isDirectory: false,
      size: JPEG.length,
    });
    expect(await files().stat('folder')).toMatchObject({ isFile: false, isDirectory: true });
    await expect(files().stat('none')).rejects.toMatchObject({ code: 'ENOENT' });
    const pieces = files().readBytes('none', { start: 0, length: 1 });
    await expect(all(pieces)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('show that they are other bytes, also with the length and the time of before', async () => {
    const path = join(directory, 'a.jpg');
    writeFileSync(path, mediaOf(JPEG, 1000));
    const before = await files().stat('a.jpg');
    const { atime, mtime } = statSync(path);
    // File systems count in steps of a few milliseconds.
    await sleep(20);
    writeFileSync(path, mediaOf(JPEG, 1000, 2));
    utimesSync(path, atime, mtime);
    expect((await files().stat('a.jpg')).changedMs).not.toBe(before.changedMs);
  });

  it('are written whole or not at all', async () => {
    await files().writeAtomically(
      'out/a.jpg',
      (async function* () {
        yield Buffer.from('one ');
        yield Buffer.from('two');
      })(),
    );
    expect(readFileSync(join(directory, 'out/a.jpg'), 'utf8')).toBe('one two');
    const cut = async function* () {
      yield Buffer.from('three');
      throw new Error('cut');
    };
    await expect(files().writeAtomically('out/a.jpg', cut())).rejects.toThrow('cut');
    expect(readFileSync(join(directory, 'out/a.jpg'), 'utf8')).toBe('one two');
    expect(readdirSync(join(directory, 'out'))).toEqual(['a.jpg']);
  });
});

it.each(['.', 'gone.json'])('a file that was typed and cannot be read is named: %s', async (path) => {
  await expect(typedFiles(directory).readText(path)).rejects.toMatchObject({ path });
});
