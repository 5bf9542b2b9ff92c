import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Written beside the target and renamed over it, so that a reader or a crash never sees a part. What is no file, such
 * as /dev/stdout, is written to and stays what it is.
 */
export async function writeAtomically(
  path: string,
  content: string | AsyncIterable<Uint8Array>,
): Promise<void> {
  if (await isDevice(path)) return writeFile(path, content);
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

async function isDevice(path: string): Promise<boolean> {
  const there = await stat(path).catch(() => null);
  return there !== null && !there.isFile() && !there.isDirectory();
}
