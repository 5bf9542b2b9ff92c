import { NO_JOB, type Job, type ProviderName } from '../provider/job.ts';

/** What is known of a clone on a person's machine. */
interface Desk {
  /** Hosts of the remotes. */
  readonly hosts: readonly string[];
  /** `owner/name` of each remote; on GitLab with all groups. */
  readonly paths: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The value of `--provider`. */
  readonly asked?: ProviderName | undefined;
}

/** The job of a desk, or what to set so that there is one. */
export interface FoundDesk {
  readonly job: Job;
  /** Null if the provider and the repository are known. */
  readonly because: string | null;
}

/**
 * The repository that a person works in, for questions outside of a job. A token must not go to an address that a
 * configuration file of the clone chooses, so the remote only says which of the known servers it is.
 *
 * | the host of the remotes             | the provider    |
 * |-------------------------------------|-----------------|
 * | github.com, or of GITHUB_SERVER_URL | GitHub          |
 * | gitlab.com, or of CI_SERVER_URL     | GitLab          |
 * | any other, or several               | none            |
 */
export function deskJob({ hosts, paths, env, asked }: Desk): FoundDesk {
  const [host, ...otherHosts] = hosts;
  if (host === undefined) return none('This folder has no remote, so Herald does not know the provider.');
  if (otherHosts.length > 0) return none(`The remotes are on several hosts: ${hosts.join(', ')}.`);
  const known = providersAt(host, env);
  const provider = known.find((one) => one === asked) ?? (asked === undefined ? known[0] : undefined);
  if (provider === undefined)
    return {
      job: NO_JOB,
      because: `The remote is on ${host}. Herald sends a token only to a server that you name. For GitHub Enterprise: export GITHUB_SERVER_URL=https://${host}. For GitLab: export CI_SERVER_URL=https://${host}`,
    };
  const repositories = [...new Set(paths)];
  const [repository] = repositories;
  if (repository === undefined || repositories.length > 1)
    return none(`The remotes are several repositories: ${repositories.join(', ')}.`);
  return { job: { ...NO_JOB, provider, repository }, because: null };
}

function none(why: string): FoundDesk {
  return {
    job: NO_JOB,
    because: `${why} Name the repository: export GITHUB_REPOSITORY=owner/name and use --provider github. On GitLab: CI_PROJECT_PATH and --provider gitlab`,
  };
}

function providersAt(host: string, env: Desk['env']): readonly Exclude<ProviderName, 'generic'>[] {
  const isGitHub = host === 'github.com' || host === hostOf(env['GITHUB_SERVER_URL']);
  const isGitLab = host === 'gitlab.com' || host === hostOf(env['CI_SERVER_URL']);
  return [...(isGitHub ? (['github'] as const) : []), ...(isGitLab ? (['gitlab'] as const) : [])];
}

function hostOf(url = ''): string | null {
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase() : null;
}
