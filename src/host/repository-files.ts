import { refusedPath } from '../domain/herald-error.ts';
import { existsSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { type RepositoryFiles } from '../domain/ports.ts';
import { readRegular } from './confined.ts';
import { gitRepository, remotePath } from './git-remotes.ts';
import { followed } from './links.ts';
import { writeAtomically } from './write-atomically.ts';

/** The files of the repository that the directory is in. Null without one. */
export function repositoryFiles(directory: string): RepositoryFiles | null {
  const repository = gitRepository(directory);
  if (repository === null) return null;
  const { root, folder, remotes, defaultBranch } = repository;
  /**
   * A repository may contain links to any place. Its author must not choose what is read and written here, so no link is
   * followed at all.
   */
  const at = (path: string): string => {
    const named = resolve(root, path);
    if (!named.startsWith(`${root}${sep}`)) throw refusedPath(`${path} leads out of the repository`);
    if (followed(named) !== named) throw refusedPath(`${path} is a link, or is behind one`);
    return named;
  };
  return {
    folder,
    defaultBranch,
    hosts: [...new Set(remotes.flatMap((url) => readHost(url) ?? []))].toSorted(),
    paths: [...new Set(remotes.flatMap((url) => remotePath(url) ?? []))].toSorted(),
    read: async (path) => {
      const place = at(path);
      return existsSync(place) ? readRegular(place, path) : null;
    },
    exists: async (path) => existsSync(at(path)),
    write: async (path, text) => writeAtomically(at(path), text),
  };
}

function readHost(url: string): string | null {
  if (URL.canParse(url)) return new URL(url).hostname.toLowerCase() || null;
  // `git@host:owner/name.git` is an address of SSH, too.
  return /^(?:[^/@]+@)?([^/:@]+):/.exec(url)?.[1]?.toLowerCase() ?? null;
}
