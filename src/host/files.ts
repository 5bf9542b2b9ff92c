import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { stat, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { ByteFiles, Files, TypedFiles, TrustedOrigins, RepositoryFiles } from '../domain/ports.ts';
import { anywhereFrom, confinedTo, readRegular, typedTo, type Place } from './confined.ts';
import { findFiles } from './find-files.ts';
import { followed } from './links.ts';
import { writeAtomically } from './write-atomically.ts';
import { gitRepository, parseRemote } from './git-remotes.ts';
import { refusedPath } from '../domain/herald-error.ts';

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
  const known = remotes.flatMap((url) => parseRemote(url) ?? []);
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
    hosts: [...new Set(known.map(({ host }) => host))].toSorted(),
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
