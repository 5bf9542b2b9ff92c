import { NO_JOB, type Job } from '../provider/job.ts';

interface Desk {
  /** Hosts of the remotes. */
  readonly hosts: readonly string[];
  /** `owner/name:folder` for each remote. */
  readonly remotes: readonly string[];
}

/**
 * The repository that a person works in, for questions outside of a job. Only github.com is taken from the remotes: a
 * token must not go to an address that a configuration file of the clone chooses.
 */
export function deskJob({ hosts, remotes }: Desk): Job {
  const repositories = new Set(remotes.map((remote) => remote.slice(0, remote.indexOf(':'))));
  const [repository] = repositories;
  const isKnown = repositories.size === 1 && hosts.length === 1 && hosts[0] === 'github.com';
  return isKnown && repository !== undefined ? { ...NO_JOB, provider: 'github', repository } : NO_JOB;
}
