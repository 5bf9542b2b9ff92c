import { readFileSync } from 'node:fs';
import { mkdir, open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { AppendFile, Files } from '../domain/ports.ts';
import { findFiles } from './find-files.ts';
import { lockHolder, takeLock, type Self } from './lock.ts';
import { followed, writeAtomically } from './write-atomically.ts';

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
    leadsTo: async (path) =>
      relative(await realpath(directory), await followed(at(path))).replaceAll(sep, '/'),
    openForAppend: (path) => openForAppend(at(path)),
    lock: (path) => takeLock(at(path), self),
    lockHolder: (path) => lockHolder(at(path), self),
  };
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
