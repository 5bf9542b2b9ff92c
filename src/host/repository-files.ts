import { refusedPath } from '../domain/herald-error.ts';
import { existsSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { type RepositoryFiles } from '../domain/ports.ts';
import { readRegular } from './confined.ts';
import { gitRepository, parseRemote } from './git-remotes.ts';
import { followed } from './links.ts';
import { writeAtomically } from './write-atomically.ts';

/** The files of the repository that the directory is in. Null without one. */
export function repositoryFiles(directory: string): RepositoryFiles | null {
  const repository = gitRepository(directory);
  if (repository === null) return null;
  const { root, folder, remotes, defaultBranch } = repository;
  const known = remotes.flatMap((url) => parseRemote(url) ?? []);
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
    hosts: [...new Set(known.map(({ host }) => host))].toSorted(),
    paths: [...new Set(known.map(({ path }) => path))].toSorted(),
    read: async (path) => {
      const place = at(path);
      return existsSync(place) ? readRegular(place, path) : null;
    },
    exists: async (path) => existsSync(at(path)),
    write: async (path, text) => writeAtomically(at(path), text),
  };
}
