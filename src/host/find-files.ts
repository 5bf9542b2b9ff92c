import { hasCode } from '../domain/herald-error.ts';
import { readdir, realpath } from 'node:fs';
import { basename, extname, relative } from 'node:path';
import type { FileSystemAdapter } from 'tinyglobby';
import { confinedTo, type Place } from './confined.ts';

type Give = (error: Error | null, found?: unknown) => void;

/**
 * Files below a directory that match the globs, sorted, with `/` between folders. Throws for an unreadable folder or a link
 * without a target, which the library passes over: otherwise its files would look undeclared.
 */
export async function findFiles(
  directory: string,
  patterns: readonly string[],
  place: Place = confinedTo(directory),
): Promise<string[]> {
  const { glob } = await import('tinyglobby');
  // The library begins in the folder that a pattern names, whatever that leads to.
  for (const pattern of patterns) place(/^[^*?[\]{}()!+@\\]*(?=\/)/.exec(pattern)?.[0] ?? '');
  const problems: Error[] = [];
  const fs = {
    readdir: (path: string, options: { readonly withFileTypes: true }, give: Give) =>
      readdir(path, options, (error, found) => {
        if (error !== null && !isNoFolder(error)) problems.push(notRead(relative(directory, path), error));
        give(error, found);
      }),
    // A link to a folder elsewhere is not walked: it may lead to all of the disk.
    realpath: (path: string, give: Give) =>
      realpath(path, (error, found) => {
        const named = relative(directory, path);
        const problem = error ?? whyRefused(() => place(named));
        if (problem !== null && mayHideFiles(path))
          problems.push(hasCode(problem, 'path-outside') ? problem : notRead(named, problem));
        give(problem, found);
      }),
  } as unknown as FileSystemAdapter;
  const options = { cwd: directory, onlyFiles: true, dot: false, expandDirectories: false, fs };
  const found = await glob([...patterns], options);
  if (problems[0] !== undefined) throw problems[0];
  return found.toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
}

function whyRefused(check: () => void): Error | null {
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
function notRead(path: string, { message, code, syscall }: NodeJS.ErrnoException): Error {
  return Object.assign(new Error(`${path} cannot be looked into: ${message}`), { code, syscall });
}

function isNoFolder({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR';
}
