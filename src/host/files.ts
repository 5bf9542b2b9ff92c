import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { AppendFile, Files } from '../domain/ports.ts';
import { takeLock, type Self } from './lock.ts';

/** Files below one directory of the real file system. */
export function workspaceFiles(directory: string, self: Self): Files {
  const at = (path: string) => (isAbsolute(path) ? path : join(directory, path));
  return {
    readText: (path) => readFile(at(path), 'utf8'),
    glob: async (patterns) => {
      const { glob } = await import('tinyglobby');
      const found = await glob([...patterns], {
        cwd: directory,
        onlyFiles: true,
        dot: false,
        expandDirectories: false,
      });
      return found.toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
    },
    writeAtomically: (path, text) => writeAtomically(at(path), text),
    exists: (path) =>
      stat(at(path)).then(
        () => true,
        () => false,
      ),
    openForAppend: (path) => openForAppend(at(path)),
    lock: (path) => takeLock(at(path), self),
  };
}

/** Written beside the target and renamed over it, so that a reader or a crash never sees a part. */
async function writeAtomically(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    await writeFile(temporary, text, { mode: 0o600, flush: true });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function openForAppend(path: string): Promise<AppendFile> {
  await mkdir(dirname(path), { recursive: true });
  const handle = await open(path, 'a', 0o600);
  return {
    append: async (text) => {
      await handle.appendFile(text);
      await handle.sync();
    },
    close: () => handle.close(),
  };
}
