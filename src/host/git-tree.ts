import { HeraldError, refusedPath } from '../domain/herald-error.ts';
import { relative, resolve, sep } from 'node:path';
import type { FileSystemAdapter } from 'tinyglobby';
import { type CommitTree } from '../domain/git.ts';
import { readOutput, runGit, type GitPlace } from './git-process.ts';

/** A file of a commit. */
interface Blob {
  readonly id: string;
  readonly size: number;
}

/** No real file of a workspace is larger, and readers hold a text as a whole. */
const TEXT_BYTES_MAX = 256 * 1024 * 1024;

/** The files below a folder as a commit has them. A folder that it does not have is empty. */
export async function readTree(place: GitPlace, folder: string, commit: string): Promise<CommitTree> {
  const blobs = await listBlobs(place, folder, commit);
  const texts = new Map<string, Buffer>();
  const blobAt = (path: string): Blob => {
    const blob = blobs.get(plain(path));
    if (blob !== undefined) return blob;
    const message = `ENOENT: no such file in commit ${commit.slice(0, 12)}, '${path}'`;
    throw Object.assign(new Error(message), { code: 'ENOENT' });
  };
  const read = async (id: string) =>
    texts.get(id) ?? (await readBlobs(place, [id])).get(id) ?? Buffer.alloc(0);
  const refuseWrite = () =>
    Promise.reject(new Error(`the files of commit ${commit.slice(0, 12)} cannot be written`));
  return {
    files: {
      readText: async (path) => {
        const { id, size } = blobAt(path);
        if (size > TEXT_BYTES_MAX)
          throw refusedPath(`${path} is larger than ${TEXT_BYTES_MAX / 1024 / 1024} MiB`);
        return (await read(id)).toString('utf8');
      },
      // What is found is read next: all of it at once, by one run of git.
      glob: async (patterns) => {
        const found = await globIn([...blobs.keys()], patterns);
        const ids = found.map((path) => blobAt(path).id).filter((id) => !texts.has(id));
        for (const [id, bytes] of await readBlobs(place, ids)) texts.set(id, bytes);
        return found;
      },
      exists: async (path) => blobs.has(plain(path)),
      leadsTo: async (path) => plain(path),
      writeAtomically: refuseWrite,
    },
    bytes: {
      stat: async (path) => ({ isFile: true, isDirectory: false, size: blobAt(path).size, changedMs: 0 }),
      readBytes: async function* (path, { start, length }) {
        yield (await read(blobAt(path).id)).subarray(start, start + length);
      },
      writeBytes: refuseWrite,
    },
  };
}

/** Only regular files: a link could lead anywhere, and a submodule is not in this repository. */
const REGULAR = /^100(?:644|755|664) blob ([0-9a-f]+) +(\d+)$/;

async function listBlobs(
  place: GitPlace,
  folder: string,
  commit: string,
): Promise<ReadonlyMap<string, Blob>> {
  const tree = `${commit}:${folder}`;
  const root = await runGit(place, ['rev-parse', '--verify', '--quiet', tree]);
  // The workspace is new.
  if (root.exitCode !== 0) return new Map();
  const listed = await runGit(place, ['ls-tree', '-r', '-l', '-z', '--full-tree', tree]);
  const found = new Map<string, Blob>();
  for (const entry of readOutput(listed, 'ls-tree').split('\0')) {
    const tab = entry.indexOf('\t');
    const [, id, size] = REGULAR.exec(entry.slice(0, tab)) ?? [];
    if (id !== undefined) found.set(entry.slice(tab + 1), { id, size: Number(size) });
  }
  return found;
}

/** Whole files by their ids, in one run of git. */
async function readBlobs(place: GitPlace, ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  if (ids.length === 0) return found;
  const { stdout } = await runGit(place, ['cat-file', '--batch'], `${ids.join('\n')}\n`);
  let at = 0;
  for (const id of ids) {
    const start = stdout.indexOf('\n', at) + 1;
    const header = stdout.subarray(at, start).toString('utf8').trim();
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(header)?.[1];
    if (size === undefined)
      throw new HeraldError(
        'git-failed',
        `A file of a commit cannot be read: ${header}.`,
        'Check the repository: git fsck',
      );
    found.set(id, stdout.subarray(start, start + Number(size)));
    // A line break ends each file.
    at = start + Number(size) + 1;
  }
  return found;
}

/** Stands for the folder of the workspace. */
const ROOT = resolve('/tree');

/** As in a folder, without `./` and double slashes. Does not leave the folder. */
function plain(path: string): string {
  return relative(ROOT, resolve(ROOT, path)).replaceAll(sep, '/');
}

/** The library decides, as it does for folders, so that a pattern means the same in both. */
async function globIn(paths: readonly string[], patterns: readonly string[]): Promise<string[]> {
  const { glob } = await import('tinyglobby');
  const folders = listFolders(paths);
  const readdir = (path: string, _options: unknown, give: (error: null, found: readonly Entry[]) => void) =>
    give(null, [...(folders.get(plain(path))?.values() ?? [])]);
  const found = await glob([...patterns], {
    cwd: ROOT,
    onlyFiles: true,
    dot: false,
    expandDirectories: false,
    fs: { readdir: readdir as unknown as NonNullable<FileSystemAdapter['readdir']> },
  });
  return found.toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
}

/** What the library asks of an entry of a folder. A commit has no links here. */
interface Entry {
  readonly name: string;
  readonly isFile: () => boolean;
  readonly isDirectory: () => boolean;
  readonly isSymbolicLink: () => false;
}

function listFolders(paths: readonly string[]): ReadonlyMap<string, ReadonlyMap<string, Entry>> {
  const folders = new Map<string, Map<string, Entry>>();
  for (const path of paths) {
    const steps = path.split('/');
    for (const [depth, name] of steps.entries()) {
      const folder = steps.slice(0, depth).join('/');
      const entries = folders.get(folder) ?? new Map<string, Entry>();
      const isFile = depth === steps.length - 1;
      entries.set(name, {
        name,
        isFile: () => isFile,
        isDirectory: () => !isFile,
        isSymbolicLink: () => false,
      });
      folders.set(folder, entries);
    }
  }
  return folders;
}
