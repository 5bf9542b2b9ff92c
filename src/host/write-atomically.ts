import { chmod, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { WriteOptions } from '../domain/ports.ts';
import { followed } from './links.ts';

const PERMISSIONS = 0o777;
const PRIVATE = 0o600;
/** The ledger, and worlds of the simulator: texts, prices and what was sent to whom. */
const OWN_FOLDER = '.herald';
const PRIVATE_FOLDER = 0o700;

/**
 * Written beside the target and renamed over it, so that a reader or a crash never sees a part. What is no file, such
 * as /dev/stdout, is written to and stays what it is; so does a link, whose file is replaced where it stands, and the
 * permissions of a file that was there. A new one has those that the umask leaves, because files are shared and hold no
 * key; a private one is always readable by its owner only.
 */
export async function writeAtomically(
  path: string,
  content: string | AsyncIterable<Uint8Array>,
  { isPrivate = false }: WriteOptions = {},
): Promise<void> {
  const there = await stat(path).catch(() => null);
  if (there !== null && !there.isFile() && !there.isDirectory()) return writeFile(path, content);
  // Renamed over a link, the new file would part what others reach by the old one.
  const target = followed(path);
  await makeFolderOf(target);
  const { randomUUID } = await import('node:crypto');
  const temporary = `${target}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    await writeFile(temporary, content, { flush: true, ...(isPrivate ? { mode: PRIVATE } : {}) });
    if (there?.isFile() === true && !isPrivate) await chmod(temporary, there.mode & PERMISSIONS);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Makes the folder that the file stands in. Herald's own one is for its owner only; one that is there stays as it is. */
export async function makeFolderOf(path: string): Promise<void> {
  const folder = dirname(path);
  if (basename(folder) !== OWN_FOLDER) {
    await mkdir(folder, { recursive: true });
    return;
  }
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
}
