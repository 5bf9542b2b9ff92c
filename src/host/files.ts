import { readFileSync } from 'node:fs';
import { mkdir, open, rename, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { AppendFile, ByteFiles, Files } from '../domain/ports.ts';
import { findFiles } from './find-files.ts';
import { lockHolder, takeLock, type Self } from './lock.ts';

/** Files below one directory of the real file system. */
export function workspaceFiles(directory: string, self: Self): Files {
  const at = (path: string) => (isAbsolute(path) ? path : join(directory, path));
  return {
    // One call instead of four that wait for a thread each: a workspace has thousands of small files.
    readText: async (path) => readFileSync(at(path), 'utf8'),
    glob: (patterns) => findFiles(directory, patterns),
    writeAtomically: (path, text) => writeAtomically(at(path), text),
    exists: (path) =>
      stat(at(path)).then(
        () => true,
        () => false,
      ),
    openForAppend: (path) => openForAppend(at(path)),
    lock: (path) => takeLock(at(path), self),
    lockHolder: (path) => lockHolder(at(path), self),
  };
}

/** Pieces in which large files are read: at 64 KiB the speed is halved, and every part of an upload holds two. */
const PIECE_BYTES = 2_097_152;

/** Large files below one directory of the real file system. */
export function workspaceBytes(directory: string): ByteFiles {
  const at = (path: string) => (isAbsolute(path) ? path : join(directory, path));
  return {
    stat: async (path) => {
      const found = await stat(at(path));
      return {
        isFile: found.isFile(),
        isDirectory: found.isDirectory(),
        size: found.size,
        // Whoever writes may set the time of the content back, but not that of the change.
        changedMs: found.ctimeMs,
      };
    },
    readBytes: (path, { start, length }) => readBytes(at(path), start, length),
    writeBytes: (path, bytes) => writeAtomically(at(path), bytes),
  };
}

/**
 * The file is opened when the first piece is asked for, and closed when nobody asks any more. One piece is read
 * ahead, so that the disk and whoever takes the bytes need not wait for each other.
 */
async function* readBytes(path: string, start: number, length: number): AsyncGenerator<Uint8Array, void> {
  const end = start + length;
  const handle = await open(path, 'r');
  // Each piece is its own: a socket may hold it while the next ones are read.
  const readAt = (place: number) => {
    const size = Math.min(PIECE_BYTES, end - place);
    const reading = handle.read(Buffer.allocUnsafe(size), 0, size, place);
    reading.catch(() => undefined);
    return reading;
  };
  try {
    let place = start;
    let next = readAt(place);
    while (place < end) {
      const { bytesRead, buffer } = await next;
      if (bytesRead === 0) return;
      place += bytesRead;
      if (place < end) next = readAt(place);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    // Waits for what is being read.
    await handle.close();
  }
}

/** Written beside the target and renamed over it, so that a reader or a crash never sees a part. */
async function writeAtomically(path: string, content: string | AsyncIterable<Uint8Array>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const { randomUUID } = await import('node:crypto');
  const temporary = `${path}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    await writeFile(temporary, content, { mode: 0o600, flush: true });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function openForAppend(path: string): Promise<AppendFile> {
  await mkdir(dirname(path), { recursive: true });
  let handle = await open(path, 'a', 0o600);
  return {
    append: async (text) => {
      if (await isReplaced(handle, path)) {
        await handle.close();
        handle = await open(path, 'a', 0o600);
      }
      await handle.appendFile(text);
      await handle.sync();
    },
    close: () => handle.close(),
  };
}

/** A `git pull` puts another file into its place: what is added to the old one is gone with it. */
async function isReplaced(handle: FileHandle, path: string): Promise<boolean> {
  const [own, there] = await Promise.all([handle.stat(), stat(path).catch(() => null)]);
  return there === null || there.ino !== own.ino || there.dev !== own.dev;
}
