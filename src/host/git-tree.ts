import { relative, resolve, sep } from 'node:path';
import type { CommitTree } from '../domain/git.ts';
import { RefusedPathError, type Files } from '../domain/ports.ts';
import { BlobReader, blobBytes } from './git-blobs.ts';
import { gitFailed } from './git-errors.ts';
import { runGit, type GitPlace } from './git-process.ts';
import { treeFileSystem } from './tree-file-system.ts';

/** A file of a commit. */
interface Blob {
  readonly id: string;
  readonly size: number;
}

/** No real file of a workspace is larger, and readers hold a text as a whole. */
const TEXT_BYTES_MAX = 256 * 1024 * 1024;

/** The files below a folder as a commit has them. A folder that it does not have is empty. */
export async function treeOf(place: GitPlace, folder: string, commit: string): Promise<CommitTree> {
  const blobs = await blobsOf(place, folder, commit);
  const reader = new BlobReader(place);
  const blobAt = (path: string): Blob => {
    const blob = blobs.get(plain(path));
    if (blob !== undefined) return blob;
    throw Object.assign(new Error(`ENOENT: no such file in commit ${commit.slice(0, 12)}, '${path}'`), {
      code: 'ENOENT',
    });
  };
  const files: Files = {
    readText: async (path) => {
      const { id, size } = blobAt(path);
      if (size > TEXT_BYTES_MAX)
        throw new RefusedPathError(`${path} is larger than ${TEXT_BYTES_MAX / 1024 / 1024} MiB`);
      return (await reader.read(id)).toString('utf8');
    },
    glob: (patterns) => globIn([...blobs.keys()], patterns),
    exists: async (path) => blobs.has(plain(path)),
    leadsTo: async (path) => plain(path),
    writeAtomically: () => Promise.reject(readOnly(commit)),
  };
  return {
    files,
    bytes: {
      stat: async (path) => ({ isFile: true, isDirectory: false, size: blobAt(path).size, changedMs: 0 }),
      readBytes: (path, range) => blobBytes(place, blobAt(path).id, range),
      writeBytes: () => Promise.reject(readOnly(commit)),
    },
    close: () => reader.close(),
  };
}

/** Only regular files: a link could lead anywhere, and a submodule is not in this repository. */
const REGULAR = /^100(?:644|755|664) blob ([0-9a-f]+) +(\d+)$/;

async function blobsOf(place: GitPlace, folder: string, commit: string): Promise<ReadonlyMap<string, Blob>> {
  const root = await runGit(place, ['rev-parse', '--verify', '--quiet', `${commit}:${folder}`]);
  // The workspace is new.
  if (root.exitCode !== 0) return new Map();
  const listed = await runGit(place, ['ls-tree', '-r', '-l', '-z', '--full-tree', `${commit}:${folder}`]);
  if (listed.exitCode !== 0) throw gitFailed('ls-tree', listed);
  const found = new Map<string, Blob>();
  for (const entry of listed.stdout.toString('utf8').split('\0')) {
    const tab = entry.indexOf('\t');
    const [, id, size] = REGULAR.exec(entry.slice(0, tab)) ?? [];
    if (id !== undefined) found.set(entry.slice(tab + 1), { id, size: Number(size) });
  }
  return found;
}

/** The same as in a folder, without `./` and double slashes. Does not leave the folder. */
function plain(path: string): string {
  return relative(ROOT, resolve(ROOT, path)).replaceAll(sep, '/');
}

/** Stands for the folder of the workspace. */
const ROOT = resolve('/tree');

/** The library decides, as it does for folders, so that a pattern means the same in both. */
async function globIn(paths: readonly string[], patterns: readonly string[]): Promise<string[]> {
  const { glob } = await import('tinyglobby');
  const found = await glob([...patterns], {
    cwd: ROOT,
    onlyFiles: true,
    dot: false,
    expandDirectories: false,
    fs: treeFileSystem(ROOT, paths),
  });
  return found.toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
}

function readOnly(commit: string): Error {
  return new Error(`the files of commit ${commit.slice(0, 12)} cannot be written`);
}
