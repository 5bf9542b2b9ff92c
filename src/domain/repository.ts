/** What tells the repository of a workspace from others that use the same database. */
export interface RepositoryIdentity {
  /**
   * `owner/name:folder` for each remote of git, sorted. All clones of a repository share one. Empty where git does not
   * tell.
   */
  readonly remotes: readonly string[];
  /** The origin of its service; null for a simulator, and where it is not known. */
  readonly service: string | null;
}

/**
 * Whether two workspaces may be one. A clone has the remotes of the others, under whatever host name. A folder without
 * git, as in a container, is known only by its service.
 *
 * | a remote of both    | the services         | one workspace |
 * |---------------------|----------------------|---------------|
 * | is the same         | any                  | yes           |
 * | is known, and other | any                  | no            |
 * | is not known        | are known, and other | no            |
 * | is not known        | anything else        | yes           |
 */
export function mayBeSame(left: RepositoryIdentity, right: RepositoryIdentity): boolean {
  if (left.remotes.length > 0 && right.remotes.length > 0)
    return left.remotes.some((remote) => right.remotes.includes(remote));
  return left.service === null || right.service === null || left.service === right.service;
}

/** `acme/ads with https://api.example`. */
export function repositoryWords({ remotes, service }: RepositoryIdentity): string {
  const name = remotes.map((remote) => remote.replace(/:$/, '')).join(', ') || 'another folder';
  return service === null ? name : `${name} with ${service}`;
}

/** `owner/name` of an address of git, in small letters, without host, user and password; null for a path of this machine. */
export function remoteName(url: string): string | null {
  const path = remotePath(url);
  return path === null ? null : path.split('/').slice(-2).join('/').toLowerCase();
}

/** The same as it is written, with all groups. */
export function remotePath(url: string): string | null {
  // `git@host:owner/name.git` is an address of SSH, too.
  const path = URL.canParse(url) ? new URL(url).pathname : /^[^/]+@[^/:]+:(.+)$/.exec(url)?.[1];
  if (path === undefined || url.startsWith('file:')) return null;
  const steps = path
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split('/')
    .filter((step) => step !== '');
  return steps.length < 2 ? null : steps.join('/');
}
