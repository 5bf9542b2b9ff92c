import { readFileSync } from 'node:fs';
import { stat, type FileHandle } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import type { AppendFile, Files, Lease, ReadFile, TypedFiles } from '../domain/ports.ts';
import { anywhereFrom, confinedTo, openRegular, openToAppend, readRegular, type Place } from './confined.ts';
import { findFiles } from './find-files.ts';
import { keepHeapSmall } from './heap.ts';
import { lockHolder, takeLock, type Watch } from './lock.ts';
import type { Self } from './lock-holder.ts';
import { followed } from './links.ts';
import { makeFolderOf, writeAtomically } from './write-atomically.ts';

/** The files of the workspace in one directory of the real file system. */
export function workspaceFiles(
  directory: string,
  self: Self,
  watch?: Watch,
  place: Place = confinedTo(directory),
): Files {
  const leases = new Map<string, Lease>();
  return {
    // One call instead of four that wait for a thread each: a workspace has thousands of small files.
    readText: async (path) => readRegular(place(path), path),
    glob: (patterns) => findFiles(directory, patterns, place),
    openForReading: async (path) => openForReading(await openRegular(place(path), path)),
    writeAtomically: async (path, content, options) => writeAtomically(place(path), content, options),
    exists: async (path) => isThere(place(path)),
    leadsTo: async (path) =>
      relative(followed(directory), followed(resolve(directory, path))).replaceAll(sep, '/'),
    openForAppend: async (path) => openForAppend(() => openToAppend(place(path), path), place(path)),
    lock: async (path) => {
      const at = place(path);
      const lease = await takeLock(at, self, watch);
      leases.set(at, lease);
      return async () => {
        leases.delete(at);
        await lease.release();
      };
    },
    lockLost: async (path) => (await leases.get(place(path))?.lost()) ?? null,
    lockHolder: async (path) => lockHolder(place(path), self),
  };
}

/** Files at paths that a person typed, from that directory. */
export function typedFiles(directory: string): TypedFiles {
  const at = anywhereFrom(directory);
  return {
    readText: async (path) => readFileSync(at(path), 'utf8'),
    exists: (path) => isThere(at(path)),
    writeAtomically: (path, content, options) => writeAtomically(at(path), content, options),
  };
}

function isThere(place: string): Promise<boolean> {
  return stat(place).then(
    () => true,
    () => false,
  );
}

async function openForReading(handle: FileHandle): Promise<ReadFile> {
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

async function openForAppend(open: () => Promise<FileHandle>, place: string): Promise<AppendFile> {
  await makeFolderOf(place);
  let handle = await open();
  let readTo = (await handle.stat()).size;
  const reopenReplaced = async () => {
    if (!(await isReplaced(handle, place))) return;
    await handle.close();
    handle = await open();
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
