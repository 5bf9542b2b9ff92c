import { HeraldError } from '../domain/herald-error.ts';
import { relative, resolve, sep } from 'node:path';
import { type CommitTree } from '../domain/git.ts';
import { filterFiles } from './find-files.ts';
import { readOutput, runGit, type GitPlace } from './git-process.ts';

/** A file of a commit. */
interface Blob {
  readonly id: string;
  readonly size: number;
}

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
  return {
    files: {
      readText: async (path) => (await read(blobAt(path).id)).toString('utf8'),
      // What is found is read next: all of it at once, by one run of git.
      glob: async (patterns) => {
        const found = filterFiles(patterns, blobs.keys());
        const ids = found.map((path) => blobAt(path).id).filter((id) => !texts.has(id));
        for (const [id, bytes] of await readBlobs(place, ids)) texts.set(id, bytes);
        return found;
      },
      exists: async (path) => blobs.has(plain(path)),
      leadsTo: async (path) => plain(path),
      writeAtomically: () =>
        Promise.reject(new Error(`the files of commit ${commit.slice(0, 12)} cannot be written`)),
    },
    bytes: {
      stat: async (path) => ({ isFile: true, isDirectory: false, size: blobAt(path).size, changedMs: 0 }),
      readBytes: async function* (path, { start, length }) {
        yield (await read(blobAt(path).id)).subarray(start, start + length);
      },
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
