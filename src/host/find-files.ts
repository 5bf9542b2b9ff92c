import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { compareText } from '../domain/diagnostic.ts';
import { compileGlob } from '../domain/glob.ts';
import { hasCode } from '../domain/herald-error.ts';
import { confinedTo, type Place } from './confined.ts';
import { followed } from './links.ts';

/** More are an accident, or links that lead to each other. */
const FOLDERS_MAX = 20_000;

/**
 * Files below a directory that match the patterns, sorted, with `/` between folders. A pattern has names with `*` and `?`, and
 * `**` for any folders; `!` in front takes away. A name with a dot in front matches only if the pattern has the dot, too. No
 * pattern can make the time long: with the regular expressions of libraries, twelve stars in a name take hours.
 */
export async function findFiles(
  directory: string,
  patterns: readonly string[],
  place: Place = confinedTo(directory),
): Promise<string[]> {
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
    const matches = compileGlob(text);
    return {
      isAnyFolders,
      matches: (name) => (isAnyFolders || matches(name)) && (!name.startsWith('.') || text.startsWith('.')),
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
    const real = followed(place(path));
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
    if (followed(at) === real) return true;
    if (at === directory || at === dirname(at)) return false;
  }
}

/** The error of the system with its code, and with the path in the workspace. */
function explainUnseen(path: string, { message, code, syscall }: NodeJS.ErrnoException): Error {
  return Object.assign(new Error(`${path} cannot be looked into: ${message}`), { code, syscall });
}
