import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { followLinks } from './links.ts';

/** A repository on a server. */
interface Remote {
  readonly host: string;
  /** `owner/name` with all groups of GitLab. */
  readonly path: string;
}

/** None for a path of this machine. */
function parseRemote(url: string): readonly Remote[] {
  // `git@host:owner/name.git` is an address of SSH, too.
  const [, sshHost, sshPath] = /^[^/]+@([^/:]+):(.+)$/.exec(url) ?? [];
  const isUrl = URL.canParse(url);
  const path = isUrl ? new URL(url).pathname : sshPath;
  const host = isUrl ? new URL(url).hostname : sshHost;
  if (path === undefined || host === undefined || host === '') return [];
  const steps = path
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split('/')
    .filter((step) => step !== '');
  return steps.length < 2 ? [] : [{ host: host.toLowerCase(), path: steps.join('/') }];
}

/**
 * The repository that the directory is in; null without one, and if its files cannot be read. Only those below its `.git` are:
 * git itself may be missing, and would refuse the folder of another user.
 */
export function gitRepository(directory: string): {
  readonly root: string;
  /** The directory in it, with `/`. Empty for the root. */
  readonly folder: string;
  /** Those of its remotes that are on a server. */
  readonly remotes: readonly Remote[];
  /** `owner/name:folder` for each of them, sorted. */
  readonly names: readonly string[];
  /** The branch that a clone starts with, or else the one that is checked out. Null if neither is known. */
  readonly defaultBranch: string | null;
} | null {
  try {
    const place = followLinks(directory);
    const root = findRoot(place);
    if (root === null) return null;
    const git = commonFolder(join(root, '.git'));
    const remotes = readRemotes(readFileSync(join(git, 'config'), 'utf8'));
    const folder = relative(root, place).replaceAll(sep, '/');
    const owned = remotes.map(({ path }) => path.split('/').slice(-2).join('/').toLowerCase());
    const names = [...new Set(owned)].toSorted().map((remote) => `${remote}:${folder}`);
    return { root, folder, remotes, names, defaultBranch: findDefaultBranch(git) };
  } catch {
    // Whatever is wrong there, nothing is known.
    return null;
  }
}

function findDefaultBranch(git: string): string | null {
  const heads = ['refs/remotes/origin/HEAD', 'HEAD'].map((head) => join(git, head)).filter(existsSync);
  const named = heads.map((head) =>
    /^ref: refs\/(?:remotes\/origin|heads)\/(\S+)\s*$/.exec(readFileSync(head, 'utf8')),
  );
  return named.find((match) => match !== null)?.[1] ?? null;
}

function findRoot(directory: string): string | null {
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

function readRemotes(config: string): readonly Remote[] {
  let isRemote = false;
  return config.split(/\r?\n/).flatMap((line) => {
    const section = /^\s*\[(.*)\]/.exec(line)?.[1];
    if (section !== undefined) isRemote = section.startsWith('remote ');
    const url = isRemote ? /^\s*url\s*=\s*(.+?)\s*$/.exec(line)?.[1] : undefined;
    return url === undefined ? [] : parseRemote(url);
  });
}
