import { readFileSync } from 'node:fs';
import { open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { AppendFile, Files, Lease, ReadFile } from '../domain/ports.ts';
import { findFiles } from './find-files.ts';
import { keepHeapSmall } from './heap.ts';
import { lockHolder, takeLock, type Watch } from './lock.ts';
import type { Self } from './lock-holder.ts';
import { followed, makeFolderOf, writeAtomically } from './write-atomically.ts';

/** Files below one directory of the real file system. */
export function workspaceFiles(directory: string, self: Self, watch?: Watch): Files {
  const leases = new Map<string, Lease>();
  const at = (path: string) => (isAbsolute(path) ? path : join(directory, path));
  return {
    // One call instead of four that wait for a thread each: a workspace has thousands of small files.
    readText: async (path) => readFileSync(at(path), 'utf8'),
    glob: (patterns) => findFiles(directory, patterns),
    openForReading: (path) => openForReading(at(path)),
    writeAtomically: (path, content, options) => writeAtomically(at(path), content, options),
    exists: (path) =>
      stat(at(path)).then(
        () => true,
        () => false,
      ),
    leadsTo: async (path) =>
      relative(await realpath(directory), await followed(at(path))).replaceAll(sep, '/'),
    openForAppend: (path) => openForAppend(at(path)),
    lock: async (path) => {
      const lease = await takeLock(at(path), self, watch);
      leases.set(at(path), lease);
      return async () => {
        leases.delete(at(path));
        await lease.release();
      };
    },
    lockLost: async (path) => (await leases.get(at(path))?.lost()) ?? null,
    lockHolder: (path) => lockHolder(at(path), self),
  };
}

async function openForReading(path: string): Promise<ReadFile> {
  const handle = await open(path, 'r');
  // A new file may get the number of one that is gone, but hardly at the same instant.
  const { dev, ino, birthtimeMs, size } = await handle.stat();
  if (size >= LONG_BYTES) keepHeapSmall();
  return {
    id: `${dev}/${ino}/${birthtimeMs}`,
    bytesFrom: (start) => bytesFrom(handle, start),
    close: () => handle.close(),
  };
}

const PIECE_BYTES = 262_144;
/** What is made of each piece of a longer file would otherwise wait in memory until it is many times what is kept. */
const LONG_BYTES = 50_000_000;

async function* bytesFrom(handle: FileHandle, start: number): AsyncGenerator<Uint8Array, void> {
  const memory = Buffer.allocUnsafeSlow(PIECE_BYTES);
  for (let place = start; ;) {
    const { bytesRead } = await handle.read(memory, 0, PIECE_BYTES, place);
    if (bytesRead === 0) return;
    yield memory.subarray(0, bytesRead);
    place += bytesRead;
  }
}

async function openForAppend(path: string): Promise<AppendFile> {
  await makeFolderOf(path);
  let handle = await open(path, APPEND_AND_READ, 0o600);
  let readTo = (await handle.stat()).size;
  const reopenReplaced = async () => {
    if (!(await isReplaced(handle, path))) return;
    await handle.close();
    handle = await open(path, APPEND_AND_READ, 0o600);
    readTo = 0;
  };
  return {
    append: async (text) => {
      await reopenReplaced();
      await handle.appendFile(text);
      await handle.sync();
    },
    readAdded: async () => {
      await reopenReplaced();
      const added = await wholeLines(handle, readTo);
      readTo += added.length;
      return added.toString('utf8');
    },
    close: () => handle.close(),
  };
}

/** One line that is added by one write stands whole beside those of other processes. */
const APPEND_AND_READ = 'a+';

/** The bytes from there on, up to the end of the last line that is whole: another process may be writing the next. */
async function wholeLines(handle: FileHandle, from: number): Promise<Buffer> {
  const { size } = await handle.stat();
  const bytes = Buffer.alloc(Math.max(0, size - from));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, bytes.lastIndexOf(NEW_LINE, filled - 1) + 1);
}

const NEW_LINE = 10;

/** A `git pull` puts another file into its place: what is added to the old one is gone with it. */
async function isReplaced(handle: FileHandle, path: string): Promise<boolean> {
  const [own, there] = await Promise.all([handle.stat(), stat(path).catch(() => null)]);
  return there === null || there.ino !== own.ino || there.dev !== own.dev;
}
