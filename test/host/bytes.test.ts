import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workspaceBytes } from '../../src/host/bytes.ts';
import { JPEG, mediaOf } from '../helpers/media.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'herald-bytes-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function all(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(Uint8Array.from(piece));
  return Buffer.concat(read);
}

const MIB = 2 ** 20;

const digestOf = (piece: Uint8Array) => createHash('sha256').update(piece).digest('hex');

describe('large files', () => {
  it('are read in pieces, any range of them, byte for byte', async () => {
    const content = mediaOf(JPEG, 5 * MIB + 3);
    writeFileSync(join(directory, 'a.jpg'), content);
    const bytes = workspaceBytes(directory);
    for (const [start, length] of [
      [0, content.length],
      [0, 1],
      [content.length - 1, 1],
      [2 * MIB - 1, 2 * MIB + 2],
      [7, 0],
    ] as const) {
      const read = await all(bytes.readBytes('a.jpg', { start, length }));
      expect(read.equals(content.subarray(start, start + length)), `${start}+${length}`).toBe(true);
    }
  });

  it('lend each piece until two more have been asked for', async () => {
    const content = mediaOf(JPEG, 9 * MIB + 5);
    writeFileSync(join(directory, 'a.jpg'), content);
    const range = { start: 0, length: content.length };
    const lent: { readonly piece: Uint8Array; readonly digest: string }[] = [];
    const memories = new Set<ArrayBufferLike>();
    let whole = true;
    for await (const piece of workspaceBytes(directory).readBytes('a.jpg', range)) {
      lent.push({ piece, digest: digestOf(piece) });
      memories.add(piece.buffer);
      for (const last of lent.slice(-2)) whole &&= digestOf(last.piece) === last.digest;
    }
    expect(whole).toBe(true);
    expect(memories.size).toBe(3);
    expect(lent.slice(0, -1).every(({ piece }) => piece.byteLength === MIB)).toBe(true);
  });

  it('end early where the file does, or where the reader stops', async () => {
    writeFileSync(join(directory, 'a.jpg'), mediaOf(JPEG, 5 * MIB));
    const bytes = workspaceBytes(directory);
    expect((await all(bytes.readBytes('a.jpg', { start: 4 * MIB, length: 5 * MIB }))).length).toBe(MIB);
    for await (const piece of bytes.readBytes('a.jpg', { start: 0, length: 5 * MIB })) {
      expect(piece.byteLength).toBeGreaterThan(0);
      break;
    }
  });

  it('say what stands at a path', async () => {
    mkdirSync(join(directory, 'folder'));
    writeFileSync(join(directory, 'a.jpg'), JPEG);
    const bytes = workspaceBytes(directory);
    expect(await bytes.stat('a.jpg')).toMatchObject({ isFile: true, isDirectory: false, size: JPEG.length });
    expect(await bytes.stat('folder')).toMatchObject({ isFile: false, isDirectory: true });
    await expect(bytes.stat('none')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(all(bytes.readBytes('none', { start: 0, length: 1 }))).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });

  it.each([
    [
      'written again, as long as before and with its old time',
      (path: string) => {
        const { atime, mtime } = statSync(path);
        writeFileSync(path, mediaOf(JPEG, 1000, 2));
        utimesSync(path, atime, mtime);
      },
    ],
    [
      'a link that leads to another file of that length and time',
      (path: string) => {
        const { atime, mtime } = statSync(path);
        writeFileSync(`${path}.2`, mediaOf(JPEG, 1000, 3));
        utimesSync(`${path}.2`, atime, mtime);
        rmSync(path);
        symlinkSync(`${path}.2`, path);
      },
    ],
  ])('show that they are other bytes: %s', async (_, change) => {
    const path = join(directory, 'a.jpg');
    writeFileSync(path, mediaOf(JPEG, 1000));
    const bytes = workspaceBytes(directory);
    const before = await bytes.stat('a.jpg');
    // File systems count in steps of a few milliseconds.
    await sleep(20);
    change(path);
    const after = await bytes.stat('a.jpg');
    expect(after.size).toBe(before.size);
    expect(after.changedMs).not.toBe(before.changedMs);
  });

  it('are written whole or not at all', async () => {
    const bytes = workspaceBytes(directory);
    await bytes.writeBytes(
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
    await expect(bytes.writeBytes('out/a.jpg', cut())).rejects.toThrow('cut');
    expect(readFileSync(join(directory, 'out/a.jpg'), 'utf8')).toBe('one two');
    expect(readdirSync(join(directory, 'out'))).toEqual(['a.jpg']);
  });
});
