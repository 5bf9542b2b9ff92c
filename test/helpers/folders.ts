import { accessSync, chmodSync, constants, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

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

/** Contents by path below a folder. Null removes a file. */
export type FileContents = Readonly<Record<string, string | Uint8Array | null>>;

/** Writes files, and the folders in which they are. A script may be run. */
export function writeFiles(directory: string, files: FileContents): void {
  for (const [path, content] of Object.entries(files)) {
    const place = join(directory, path);
    mkdirSync(dirname(place), { recursive: true });
    if (content === null) rmSync(place);
    else writeFileSync(place, content);
    if (typeof content === 'string' && content.startsWith('#!')) chmodSync(place, 0o755);
  }
}
