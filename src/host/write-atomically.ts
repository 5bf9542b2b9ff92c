import { chmod, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { WriteOptions } from '../domain/ports.ts';
import { followed } from './links.ts';

const PERMISSIONS = 0o777;
const PRIVATE = 0o600;
/** The state, and worlds of the simulator: texts, prices and what was sent to whom. Only for its owner. */
const OWN_FOLDER = '.herald';
const PRIVATE_FOLDER = 0o700;

/**
 * Writes a file next to the target and renames it, so that a reader or a crash never sees a part. A target that is
 * not a file, such as /dev/stdout, is written directly. A link stays, and its file is replaced. Permissions of an
 * existing file stay. A new file gets those of the umask, because files are shared and contain no key. Only its
 * owner can read a private one.
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  { isPrivate = false }: WriteOptions = {},
): Promise<void> {
  const there = await stat(path).catch(() => null);
  if (there !== null && !there.isFile() && !there.isDirectory()) return writeFile(path, content);
  // Renamed over a link, the new file would part what others reach by the old one.
  const target = followed(path);
  const folder = dirname(target);
  const own = basename(folder) === OWN_FOLDER ? { mode: PRIVATE_FOLDER } : {};
  await mkdir(folder, { recursive: true, ...own });
  const { randomUUID } = await import('node:crypto');
  const mode = isPrivate ? { mode: PRIVATE } : {};
  const temporary = `${target}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    await writeFile(temporary, content, { flag: 'wx', flush: true, ...mode });
    if (there?.isFile() === true && !isPrivate) await chmod(temporary, there.mode & PERMISSIONS);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
