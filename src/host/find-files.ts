import { readdir as readdirWithCallback, realpath as realpathWithCallback, type Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';
import { globOf } from '../domain/glob.ts';
import { hasCode } from '../domain/herald-error.ts';
import { confinedTo, type Place } from './confined.ts';

/**
 * Files below a directory that match the globs, sorted, with `/` between folders. Plain names, `*` and `**` are
 * handled here, in a time that no pattern can make long: with the regular expressions of the library, twelve stars in
 * a name take hours. Other patterns, and links on the way, go to the library. Throws for an unreadable folder or a
 * link without a target: otherwise its files would look undeclared.
 */
export async function findFiles(
  directory: string,
  patterns: readonly string[],
  place: Place = confinedTo(directory),
): Promise<string[]> {
  const found =
    (await findPlainly(directory, patterns, place)) ?? (await findWithLibrary(directory, patterns, place));
  return found.toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
}

async function findWithLibrary(
  directory: string,
  patterns: readonly string[],
  place: Place,
): Promise<readonly string[]> {
  const { glob } = await import('tinyglobby');
  // The library begins in the folder that a pattern names, whatever that leads to.
  for (const pattern of patterns) place(/^[^*?[\]{}()!+@\\]*(?=\/)/.exec(pattern)?.[0] ?? '');
  const problems: Error[] = [];
  const watch = {
    readdir: heard(readdirWithCallback, (path, error) => {
      if (!isNoFolder(error)) problems.push(unseen(relative(directory, path), error));
    }),
    // A link to a folder elsewhere is not walked: it may lead to all of the disk.
    realpath: heard(
      realpathWithCallback,
      (path, error) => {
        if (!mayHideFiles(path)) return;
        const named = relative(directory, path);
        problems.push(hasCode(error, 'path-outside') ? error : unseen(named, error));
      },
      (path) => place(relative(directory, path)),
    ),
  };
  const options = { cwd: directory, onlyFiles: true, dot: false, expandDirectories: false, fs: watch };
  const found = await glob([...patterns], options);
  if (problems[0] !== undefined) throw problems[0];
  return found;
}

type WithCallback = (path: never, ...rest: never[]) => unknown;

/** The library passes over what it cannot read, without a word: this hears of it first. */
function heard<Call extends WithCallback>(
  call: Call,
  onError: (path: string, error: Error) => void,
  check: (path: string) => void = () => undefined,
): Call {
  return new Proxy(call, {
    apply: (target, self, given: unknown[]) => {
      const callback = given.at(-1);
      if (typeof callback !== 'function') return Reflect.apply(target, self, given);
      const path = String(given[0]);
      const onEnd = (failed: unknown, ...results: unknown[]) => {
        const error = failed instanceof Error ? failed : problemOf(() => check(path));
        if (error !== null) onError(path, error);
        Reflect.apply(callback, undefined, [error, ...results]);
      };
      return Reflect.apply(target, self, [...given.slice(0, -1), onEnd]);
    },
  });
}

function problemOf(check: () => void): Error | null {
  try {
    check();
    return null;
  } catch (error) {
    return error as Error;
  }
}

/** Whether a link that leads nowhere may stand for a resource file or a folder of them. */
function mayHideFiles(path: string): boolean {
  return !basename(path).startsWith('.') && ['', '.yaml', '.yml'].includes(extname(path));
}

/** Still what the system refused, with its code. */
function unseen(path: string, error: NodeJS.ErrnoException): Error {
  const { message, code, syscall } = error;
  return Object.assign(new Error(`${path} cannot be looked into: ${message}`), { code, syscall });
}

/** `**`, or a name with single stars that does not begin with a dot; the last part names files. */
const PLAIN = /^(?:(?:\*\*|(?!\.)(?:[\w .-]|\*(?!\*))+)\/)*(?!\.)(?:[\w .-]|\*(?!\*))+$/;

/** Thrown inside only: something that the library has to look at. */
class NotPlain extends Error {}

/** Null where the library has to do it. */
async function findPlainly(
  directory: string,
  patterns: readonly string[],
  place: Place,
): Promise<readonly string[] | null> {
  if (!patterns.every((pattern) => PLAIN.test(pattern))) return null;
  const walk = walker(directory, place);
  try {
    const found = await Promise.all(patterns.map((pattern) => walk('', pattern.split('/'))));
    return [...new Set(found.flat())];
  } catch (error) {
    if (error instanceof NotPlain) return null;
    throw error;
  }
}

type Walk = (folder: string, parts: readonly string[]) => Promise<readonly string[]>;

/** Follows the parts of a pattern down from a folder; each folder is read once. */
function walker(directory: string, place: Place): Walk {
  const read = new Map<string, Promise<readonly Dirent[]>>();
  const entriesOf = (folder: string): Promise<readonly Dirent[]> => {
    const entries = read.get(folder) ?? readFolder(join(directory, folder), () => place(folder));
    read.set(folder, entries);
    return entries;
  };
  const walk: Walk = async (folder, [part = '', ...rest]) => {
    const below = (name: string) => (folder === '' ? name : `${folder}/${name}`);
    if (rest.length > 0 && !part.includes('*')) return walk(below(part), rest);
    const entries = await entriesOf(folder);
    const folders = entries.filter((entry) => entry.isDirectory());
    if (part === '**') {
      const deeper = folders.map(({ name }) => walk(below(name), [part, ...rest]));
      return (await Promise.all([walk(folder, rest), ...deeper])).flat();
    }
    const matches = globOf(part);
    if (rest.length === 0)
      return entries.filter((entry) => entry.isFile() && matches(entry.name)).map(({ name }) => below(name));
    const named = folders.filter(({ name }) => matches(name));
    return (await Promise.all(named.map(({ name }) => walk(below(name), rest)))).flat();
  };
  return walk;
}

/** What a pattern may see in a folder: nothing where there is none, never what begins with a dot. */
async function readFolder(path: string, check: () => void): Promise<readonly Dirent[]> {
  // Its name stands in the pattern, and a link of that name may lead to all of the disk.
  check();
  const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    if (isNoFolder(error)) return [];
    throw new NotPlain();
  });
  const visible = entries.filter(({ name }) => !name.startsWith('.'));
  if (visible.some((entry) => !entry.isFile() && !entry.isDirectory())) throw new NotPlain();
  return visible;
}

function isNoFolder(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
