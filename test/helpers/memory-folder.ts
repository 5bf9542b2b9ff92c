import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Files here are in memory. */
const MEMORY = '/dev/shm';
/** The database server needs a hundred megabytes, because databases go with their tests. Repositories need less. */
const SPACE_BYTES = 2 ** 30;

/** Where many small files are quickly made: in memory if that has enough space. */
export function folderInMemory(): string {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= SPACE_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
