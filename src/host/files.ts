import {
  closeSync,
  constants,
  createReadStream,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
} from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type {
  ByteFiles,
  Files,
  RepositoryFiles,
  TrustedOrigins,
  TypedFiles,
  WriteOptions,
} from '../domain/ports.ts';
import { anywhereFrom, confinedTo, refusedPath, typedTo, type Place } from './confined.ts';
import { findFiles } from './find-files.ts';
import { followed } from './links.ts';
import { gitRepository } from './git-remotes.ts';

/** The files of the workspace in one directory of the real file system. */
export function workspaceFiles(directory: string, place: Place = confinedTo(directory)): Files {
  return {
    // One call instead of four that wait for a thread each: a workspace has thousands of small files.
    readText: async (path) => readRegular(place(path), path),
    glob: (patterns) => findFiles(directory, patterns, place),
    writeAtomically: async (path, content, options) => writeAtomically(place(path), content, options),
    exists: async (path) => existsSync(place(path)),
    leadsTo: async (path) =>
      relative(followed(directory), followed(resolve(directory, path))).replaceAll(sep, '/'),
    findAbove: (name) => {
      for (let folder = dirname(directory); ; folder = dirname(folder)) {
        if (existsSync(join(folder, name))) return relative(directory, folder).replaceAll(sep, '/');
        if (folder === dirname(folder)) return null;
      }
    },
  };
}

/** Files at paths that a person typed, from that directory. `to` says where they may be written. */
export function typedFiles(directory: string, to: Place = typedTo(directory)): TypedFiles {
  const at = anywhereFrom(directory);
  return {
    readText: async (path) => {
      try {
        return readFileSync(at(path), 'utf8');
      } catch (error) {
        // Of a directory, the error of the system does not name the path.
        throw Object.assign(error as Error, { path });
      }
    },
    exists: async (path) => existsSync(at(path)),
    writeAtomically: async (path, content, options) => writeAtomically(to(path), content, options),
  };
}

/** Pieces in which large files are read: at 64 KiB the speed is halved. */
const PIECE_BYTES = 1_048_576;

/** Large files of the workspace in one directory, or at other paths that `at` allows. */
export function workspaceBytes(directory: string, at: Place = confinedTo(directory)): ByteFiles {
  return {
    stat: async (path) => {
      const found = await stat(at(path));
      return {
        isFile: found.isFile(),
        isDirectory: found.isDirectory(),
        size: found.size,
        // A writer can set the modification time back, but not the change time.
        changedMs: found.ctimeMs,
      };
    },
    readBytes: async function* (path, { start, length }) {
      if (length === 0) return;
      yield* createReadStream(at(path), { start, end: start + length - 1, highWaterMark: PIECE_BYTES });
    },
  };
}

/** The files of the repository that the directory is in. Null without one. */
export function repositoryFiles(directory: string): RepositoryFiles | null {
  const repository = gitRepository(directory);
  if (repository === null) return null;
  const { root, folder, remotes, defaultBranch } = repository;
  /** No link is followed: the author of the repository must not choose what is read and written here. */
  const at = (path: string): string => {
    const named = resolve(root, path);
    if (!named.startsWith(`${root}${sep}`)) throw refusedPath(`${path} leads out of the repository`);
    if (followed(named) !== named) throw refusedPath(`${path} is a link, or is behind one`);
    return named;
  };
  return {
    folder,
    defaultBranch,
    hosts: [...new Set(remotes.map(({ host }) => host))].toSorted(),
    read: async (path) => {
      const place = at(path);
      return existsSync(place) ? readRegular(place, path) : null;
    },
    write: async (path, text) => writeAtomically(at(path), text),
  };
}

/** One origin a line, in the configuration folder of the user: no repository can write there. */
export function trustedOrigins(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): TrustedOrigins {
  const folder = [env['XDG_CONFIG_HOME'], env['APPDATA']].find((one) => one !== undefined && one !== '');
  const path = join(folder ?? join(home, '.config'), 'herald', 'trusted-origins');
  return {
    path,
    list: async () => {
      const text = existsSync(path) ? await readFile(path, 'utf8') : '';
      return text.split(/\r?\n/).filter((line) => line.trim() !== '');
    },
    replace: (origins) => writeAtomically(path, origins.map((origin) => `${origin}\n`).join('')),
  };
}

/** Does not follow a link that replaced the file meanwhile, and does not wait for the writer of a pipe. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A whole file of a workspace as text. */
function readRegular(place: string, path: string): string {
  const descriptor = openSync(place, READ);
  try {
    const found = fstatSync(descriptor);
    // A device or a pipe never ends. The system refuses to read a folder, in its own words.
    if (!found.isFile() && !found.isDirectory()) throw refusedPath(`${path} is not a regular file`);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

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
async function writeAtomically(
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
