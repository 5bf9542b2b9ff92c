import {
  closeSync,
  constants,
  createReadStream,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  type Dirent,
} from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { compareText } from '../domain/diagnostic.ts';
import { Glob } from '../domain/glob.ts';
import { hasCode } from '../domain/herald-error.ts';
import type {
  ByteFiles,
  Env,
  Files,
  RepositoryFiles,
  TrustedOrigins,
  TypedFiles,
  WriteOptions,
} from '../domain/ports.ts';
import { confinedTo, OWN_FOLDER, refusedPath, typedTo, type Place } from './confined.ts';
import { followLinks } from './links.ts';
import { gitRepository } from './git-remotes.ts';

/** The files of the workspace in one directory of the real file system. */
export function workspaceFiles(directory: string, place: Place = confinedTo(directory)): Files & ByteFiles {
  return {
    ...largeFiles(place),
    // One call instead of four that wait for a thread each: a workspace has thousands of small files.
    readText: async (path) => readRegular(place(path), path),
    glob: (patterns) => findFiles(directory, patterns, place),
    writeAtomically: async (path, content, options) => writeAtomically(place(path), content, options),
    exists: async (path) => existsSync(place(path)),
    leadsTo: async (path) =>
      relative(followLinks(directory), followLinks(resolve(directory, path))).replaceAll(sep, '/'),
    findAbove: (name) => {
      for (let folder = dirname(directory); ; folder = dirname(folder)) {
        if (existsSync(join(folder, name))) return relative(directory, folder).replaceAll(sep, '/');
        if (folder === dirname(folder)) return null;
      }
    },
  };
}

/** Files at paths that a person typed, from that directory. They may be written anywhere if the operator allows it (`isFree`). */
export function typedFiles(directory: string, isFree = false): TypedFiles & ByteFiles {
  const at: Place = (path) => resolve(directory, path);
  const to = isFree ? at : typedTo(directory);
  return {
    ...largeFiles(at),
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

/** Large files at paths that `at` allows. */
function largeFiles(at: Place): ByteFiles {
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
    if (followLinks(named) !== named) throw refusedPath(`${path} is a link, or is behind one`);
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
export function trustedOrigins(env: Env, home: string): TrustedOrigins {
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
  const target = followLinks(path);
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

/** More are an accident, or links that lead to each other. */
const FOLDERS_MAX = 20_000;

/**
 * Files below a directory that match the patterns, sorted, with `/` between folders. A pattern has names with `*` and `?`, and
 * `**` for any folders; `!` in front takes away. A name with a dot in front matches only if the pattern has the dot, too. No
 * pattern can make the time long: with the regular expressions of libraries, twelve stars in a name take hours.
 */
async function findFiles(directory: string, patterns: readonly string[], place: Place): Promise<string[]> {
  const found = new Set<string>();
  let folders = 0;
  const visit = async (parts: readonly Part[], folder: string, places: readonly number[]): Promise<void> => {
    folders += 1;
    if (folders > FOLDERS_MAX) throw new Error(`there are more than ${FOLDERS_MAX} folders to look into`);
    const look = async (entry: Dirent) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const next = advance(parts, places, entry.name);
      // What the pattern cannot match is not looked at.
      const target = next.length === 0 ? null : await followEntry(directory, path, entry, place);
      if (target?.isFile() === true) found.add(path);
      else if (target?.isDirectory() === true && next.some((at) => at < parts.length))
        await visit(parts, path, next);
    };
    await Promise.all((await readFolder(directory, folder, place)).map(look));
  };
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!')).map(readParts);
  await Promise.all(wanted.map((parts) => visit(parts, '', withSkipped(parts, [0]))));
  return filterFiles(patterns, found);
}

/** The files of a list that match the patterns. */
export function filterFiles(patterns: readonly string[], files: Iterable<string>): string[] {
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!')).map(readParts);
  const takenAway = patterns.flatMap((one) => (one.startsWith('!') ? [readParts(one.slice(1))] : []));
  return [...files]
    .filter((file) => wanted.some((parts) => leadsTo(parts, file)))
    .filter((file) => !takenAway.some((parts) => leadsInto(parts, file)))
    .toSorted(compareText);
}

/** True if the pattern matches the file. Its last part stands for a name, also if it is `**`. */
function leadsTo(parts: readonly Part[], file: string): boolean {
  const names = file.split('/');
  const name = names.pop() ?? '';
  const places = names.reduce((before, folder) => advance(parts, before, folder), withSkipped(parts, [0]));
  return places.includes(parts.length - 1) && parts.at(-1)?.matches(name) === true;
}

/** True if the pattern matches the file or a folder above it. */
function leadsInto(parts: readonly Part[], file: string): boolean {
  let places = withSkipped(parts, [0]);
  return file.split('/').some((name) => {
    places = advance(parts, places, name);
    return places.includes(parts.length);
  });
}

/** A part of a pattern, between two slashes. */
interface Part {
  readonly isAnyFolders: boolean;
  readonly matches: (name: string) => boolean;
}

function readParts(pattern: string): readonly Part[] {
  const texts = pattern.split('/').filter((text) => text !== '' && text !== '.');
  return texts.map((text) => {
    const isAnyFolders = text === '**';
    const glob = new Glob(text);
    return {
      isAnyFolders,
      matches: (name) =>
        (isAnyFolders || glob.matches(name)) && (!name.startsWith('.') || text.startsWith('.')),
    };
  });
}

/** The places in the pattern after a name, from those before it. */
function advance(parts: readonly Part[], places: readonly number[], name: string): readonly number[] {
  const next = places.flatMap((at) => {
    const part = parts[at];
    return part?.matches(name) === true ? [part.isAnyFolders ? at : at + 1] : [];
  });
  return withSkipped(parts, next);
}

/** `**` also stands for no folder, so the part behind it may be next. */
function withSkipped(parts: readonly Part[], places: readonly number[]): readonly number[] {
  const all = new Set(places);
  for (const at of all) if (parts[at]?.isAnyFolders === true) all.add(at + 1);
  return [...all];
}

/** Throws for what cannot be read and may contain resource files: otherwise they would look undeclared. */
async function readFolder(directory: string, folder: string, place: Place): Promise<readonly Dirent[]> {
  // A pattern may name a folder that is a link to all of the disk.
  place(folder);
  return readdir(join(directory, folder), { withFileTypes: true }).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw explainUnseen(folder, error as NodeJS.ErrnoException);
  });
}

/** What a path leads to. Null for links that lead back or to nothing of a workspace. */
async function followEntry(
  directory: string,
  path: string,
  entry: Dirent,
  place: Place,
): Promise<Pick<Dirent, 'isFile' | 'isDirectory'> | null> {
  if (!entry.isSymbolicLink()) return entry;
  try {
    const real = followLinks(place(path));
    const target = await stat(real);
    return target.isDirectory() && isOnTheWay(directory, dirname(path), real) ? null : target;
  } catch (error) {
    const { name } = entry;
    if (name.startsWith('.') || !['', '.yaml', '.yml'].includes(extname(name))) return null;
    throw hasCode(error, 'path-outside') ? error : explainUnseen(path, error as NodeJS.ErrnoException);
  }
}

/** Whether a link in the folder leads back to a folder that contains it. */
function isOnTheWay(directory: string, folder: string, real: string): boolean {
  for (let at = join(directory, folder); ; at = dirname(at)) {
    if (followLinks(at) === real) return true;
    if (at === directory || at === dirname(at)) return false;
  }
}

/** The error of the system with its code, and with the path in the workspace. */
function explainUnseen(path: string, { message, code, syscall }: NodeJS.ErrnoException): Error {
  return Object.assign(new Error(`${path} cannot be looked into: ${message}`), { code, syscall });
}
