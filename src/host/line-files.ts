import { stat, type FileHandle } from 'node:fs/promises';
import type { Files } from '../domain/ports.ts';
import { systemClock } from './clock.ts';
import { openRegular, openToAppend, type Place } from './confined.ts';
import { makeFolderOf } from './write-atomically.ts';

/** An open file. It stays the same one, even if another file replaces it at its path. */
export interface ReadFile {
  /** Tells it from a file that has replaced it. */
  readonly id: string;
  /** In bytes, when it was opened. */
  readonly size: number;
  /** The bytes from there to its end, in pieces. A piece is lent: its memory is written over for the next one. */
  bytesFrom(start: number): AsyncIterable<Uint8Array>;
  /** When it was changed last. */
  change(): Promise<FileChange>;
  close(): Promise<void>;
}

/** The last change of a file. */
export interface FileChange {
  /** Differs from that of every other change, unless that came within the same instant of the file system's clock. */
  readonly stamp: string;
  /** Milliseconds since then; negative if a clock was set back. */
  readonly agoMs: number;
}

export interface AppendFile {
  /** Adds a line with its break. If the last line has none, it gets one first. */
  append(text: string): Promise<void>;
  /**
   * The whole lines that were added since the last call, or since it was opened. If another file has taken its place, as
   * after a `git pull`, all of that one.
   */
  readAdded(): Promise<string>;
  /** Whether another file has replaced it since it was opened. */
  wasReplaced(): Promise<boolean>;
  close(): Promise<void>;
}

/** The files that a ledger of files is kept in. */
export interface LineFiles extends Pick<Files, 'glob' | 'exists' | 'writeAtomically'> {
  /** Opens a file without holding all of it in memory. Rejects with a Node error (`code: 'ENOENT'` and so on). */
  openForReading(path: string): Promise<ReadFile>;
  /** A file that lines are added to; each is on the disk before `append` resolves. */
  openForAppend(path: string): Promise<AppendFile>;
}

/** The files of a workspace that hold lines, which may be longer than memory. */
export function lineFiles(place: Place): Pick<LineFiles, 'openForReading' | 'openForAppend'> {
  return {
    openForReading: async (path) => openForReading(await openRegular(place(path), path)),
    openForAppend: async (path) => openForAppend(() => openToAppend(place(path), path), place(path)),
  };
}

async function openForReading(handle: FileHandle): Promise<ReadFile> {
  // A new file may get the number of one that is gone, but hardly at the same instant.
  const { dev, ino, birthtimeMs, size } = await handle.stat();
  return {
    id: `${dev}/${ino}/${birthtimeMs}`,
    size,
    bytesFrom: (start) => bytesFrom(handle, start),
    change: () => changeOf(handle),
    close: () => handle.close(),
  };
}

async function changeOf(handle: FileHandle): Promise<FileChange> {
  // A writer can set the time of modification back, but not that of the change.
  const { dev, ino, birthtimeNs, size, mtimeNs, ctimeNs, ctimeMs } = await handle.stat({ bigint: true });
  return {
    stamp: [dev, ino, birthtimeNs, size, mtimeNs, ctimeNs].join('/'),
    agoMs: systemClock.now() - Number(ctimeMs),
  };
}

/** Smaller ones cost more processor time: each is read by another thread, which has to be woken. */
const PIECE_BYTES = 1_048_576;

/** The bytes from there to the end of the file, in pieces. The memory of a piece is used again for the next one. */
export async function* bytesFrom(handle: FileHandle, start: number): AsyncGenerator<Uint8Array, void> {
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
  let wasReplaced = false;
  const reopenReplaced = async () => {
    if (!(await isReplaced(handle, place))) return;
    await handle.close();
    handle = await open();
    readTo = 0;
    wasReplaced = true;
  };
  return {
    append: async (text) => {
      await reopenReplaced();
      await handle.appendFile((await isMidLine(handle)) ? `\n${text}` : text);
      await handle.sync();
    },
    readAdded: async () => {
      await reopenReplaced();
      const added = await wholeLines(handle, readTo);
      readTo += added.length;
      return added.toString('utf8');
    },
    wasReplaced: async () => wasReplaced || isReplaced(handle, place),
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

/** A crash or a full disk has cut the last line short. What is added to it would be one line with it. */
async function isMidLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] !== NEW_LINE;
}

/** A `git pull` puts another file into its place: what is added to the old one is gone with it. */
async function isReplaced(handle: FileHandle, path: string): Promise<boolean> {
  const [own, there] = await Promise.all([handle.stat(), stat(path).catch(() => null)]);
  return there === null || there.ino !== own.ino || there.dev !== own.dev;
}
