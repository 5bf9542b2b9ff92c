import { open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { constants } from 'node:fs';
import { openRegular, type Place } from './confined.ts';
import { bytesFrom } from './line-files.ts';
import { makeFolderOf, writeAtomically } from './write-atomically.ts';

export const EVENTS_FOLDER = '.herald/events';

/** The name begins with the time of the first event, so that names sort by time. */
const SEGMENT = /^\d{8}T\d{9}[\w-]*\.jsonl$/;
/** A file must not replace one of another receiver. */
const CREATE = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL;
const PRIVATE = 0o600;

/** The files that events are kept in. */
export interface SegmentFiles {
  /** Their names, oldest first. */
  list(): Promise<readonly string[]>;
  create(name: string): Promise<FileHandle>;
  /** Whether the name still leads to this file. */
  isAt(name: string, handle: FileHandle): Promise<boolean>;
  withBytes(
    name: string,
    from: number,
    work: (pieces: AsyncIterable<Uint8Array>) => Promise<void>,
  ): Promise<void>;
  /** Takes the file away from its receiver. Returns its new name. */
  seal(name: string): Promise<string>;
  /** Replaces the text of a sealed file, or removes the file if the text is empty. */
  replace(name: string, text: string): Promise<void>;
}

export function segmentFiles(place: Place): SegmentFiles {
  const at = (name: string) => place(`${EVENTS_FOLDER}/${name}`);
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
    isAt: async (name, handle) => {
      const [own, there] = await Promise.all([handle.stat(), stat(at(name)).catch(() => null)]);
      return there !== null && there.ino === own.ino && there.dev === own.dev;
    },
    withBytes: async (name, from, work) => {
      let handle: FileHandle;
      try {
        handle = await openRegular(at(name), name);
      } catch (error) {
        // It was removed or renamed after it was listed.
        if (isMissing(error)) return;
        throw error;
      }
      try {
        await work(bytesFrom(handle, from));
      } finally {
        await handle.close();
      }
    },
    seal: async (name) => {
      const sealed = name.replace(/\.jsonl$/, 's.jsonl');
      await rename(at(name), at(sealed));
      return sealed;
    },
    replace: (name, text) =>
      text === '' ? rm(at(name)) : writeAtomically(at(name), text, { isPrivate: true }),
  };
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
