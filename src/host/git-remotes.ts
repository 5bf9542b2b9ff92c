import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { remoteName } from '../domain/repository.ts';
import { followed } from './links.ts';

/**
 * `owner/name:folder` for each remote of the repository that the directory is in, sorted. Only its `.git/config` is read:
 * git itself may be missing, and would refuse the folder of another user.
 */
export function gitRemotes(directory: string): readonly string[] {
  try {
    const place = followed(directory);
    const root = rootOf(place);
    if (root === null) return [];
    const config = readFileSync(join(commonFolder(join(root, '.git')), 'config'), 'utf8');
    const folder = relative(root, place).replaceAll(sep, '/');
    return [...new Set(remotesIn(config))].toSorted().map((remote) => `${remote}:${folder}`);
  } catch {
    // Whatever is wrong there, nothing is known.
    return [];
  }
}

function rootOf(directory: string): string | null {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return null;
  }
}

/** The folder with the configuration. In a worktree and in a submodule, `.git` is a file that names another folder. */
function commonFolder(git: string): string {
  if (statSync(git).isDirectory()) return git;
  const named = /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8'))?.[1] ?? '';
  const folder = resolve(dirname(git), named.trim());
  const common = join(folder, 'commondir');
  return existsSync(common) ? resolve(folder, readFileSync(common, 'utf8').trim()) : folder;
}

function remotesIn(config: string): readonly string[] {
  let isRemote = false;
  return config.split(/\r?\n/).flatMap((line) => {
    const section = /^\s*\[(.*)\]/.exec(line)?.[1];
    if (section !== undefined) isRemote = section.startsWith('remote ');
    const url = isRemote ? /^\s*url\s*=\s*(.+?)\s*$/.exec(line)?.[1] : undefined;
    return url === undefined ? [] : (remoteName(url) ?? []);
  });
}
