import { open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { constants, statSync, type Stats } from 'node:fs';
import { platform } from 'node:os';
import { lastLine } from './byte-lines.ts';
import { openRegular, type Place } from './confined.ts';
import { bytesFrom } from './line-files.ts';
import { makeFolderOf, writeAtomically } from './write-atomically.ts';

export const EVENTS_FOLDER = '.herald/events';

/** The name begins with the time of the first event, so that names sort by time. */
const SEGMENT = /^\d{8}T\d{9}[\w-]*\.jsonl$/;
/** On Linux a write can return once it is on the disk. On other systems a sync says more than that does. */
const WRITES_ARE_SYNCED = platform() === 'linux';
/** A file must not replace one of another receiver. */
const CREATE =
  constants.O_RDWR |
  constants.O_APPEND |
  constants.O_CREAT |
  constants.O_EXCL |
  (WRITES_ARE_SYNCED ? constants.O_DSYNC : 0);
const PRIVATE = 0o600;

/** Whether all of its events were received before the day of this instant: a receiver begins a new file each day. */
export function isBeforeDayOf(instant: string, name: string): boolean {
  return name.slice(0, 8) < instant.slice(0, 10).replaceAll('-', '');
}

/** Whether all of its events were received after the day of this instant. */
export function isAfterDayOf(instant: string, name: string): boolean {
  return name.slice(0, 8) > instant.slice(0, 10).replaceAll('-', '');
}

/** The files that events are kept in. */
export interface SegmentFiles {
  /** Their names, oldest first. */
  list(): Promise<readonly string[]>;
  create(name: string): Promise<FileHandle>;
  /** Adds whole lines. Resolves once they are on the disk. */
  append(handle: FileHandle, text: string): Promise<void>;
  /** Tells a file from any other one. */
  identityOf(handle: FileHandle): Promise<string>;
  /** Whether the name still leads to the file with this identity. */
  isAt(name: string, identity: string): boolean;
  withBytes(
    name: string,
    from: number,
    work: (pieces: AsyncIterable<Uint8Array>) => Promise<void>,
  ): Promise<void>;
  /** The bytes of its whole lines; 0 if it is gone. */
  wholeBytes(name: string): Promise<number>;
  /** Takes the file away from its receiver. Returns its new name. */
  seal(name: string): Promise<string>;
  /** Replaces the text of a sealed file, or removes the file if the text is empty. */
  replace(name: string, text: string): Promise<void>;
}

export function segmentFiles(place: Place): SegmentFiles {
  const at = (name: string) => place(`${EVENTS_FOLDER}/${name}`);
  const withOpen = async <Result>(
    name: string,
    work: (handle: FileHandle) => Promise<Result>,
    ifGone: Result,
  ): Promise<Result> => {
    let handle: FileHandle;
    try {
      handle = await openRegular(at(name), name);
    } catch (error) {
      // It was removed or renamed after it was listed.
      if (isMissing(error)) return ifGone;
      throw error;
    }
    try {
      return await work(handle);
    } finally {
      await handle.close();
    }
  };
  return {
    list: async () => {
      try {
        return (await readdir(place(EVENTS_FOLDER))).filter((name) => SEGMENT.test(name)).toSorted();
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    },
    create: async (name) => {
      await makeFolderOf(place(EVENTS_FOLDER));
      await makeFolderOf(at(name));
      return open(at(name), CREATE, PRIVATE);
    },
    append,
    identityOf: async (handle) => identityIn(await handle.stat()),
    isAt: (name, identity) => identityOfPath(() => at(name)) === identity,
    withBytes: (name, from, work) => withOpen(name, (handle) => work(bytesFrom(handle, from)), undefined),
    wholeBytes: (name) =>
      withOpen(
        name,
        async (handle) => {
          const { size } = await handle.stat();
          return (await lastLine({ size, bytesFrom: (start) => bytesFrom(handle, start) })).start;
        },
        0,
      ),
    seal: async (name) => {
      const sealed = name.replace(/\.jsonl$/, 's.jsonl');
      await rename(at(name), at(sealed));
      return sealed;
    },
    replace: (name, text) =>
      text === '' ? rm(at(name)) : writeAtomically(at(name), text, { isPrivate: true }),
  };
}

async function append(handle: FileHandle, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length;) written += (await handle.write(bytes, written)).bytesWritten;
  // Each call waits for a thread, and the senders wait with it.
  if (!WRITES_ARE_SYNCED) await handle.datasync();
}

/** Null if it is gone. Of a file that is open, so it is in memory: a thread takes longer to begin than this takes. */
function identityOfPath(path: () => string): string | null {
  try {
    return identityIn(statSync(path()));
  } catch {
    return null;
  }
}

function identityIn({ dev, ino }: Stats): string {
  return `${dev}/${ino}`;
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
