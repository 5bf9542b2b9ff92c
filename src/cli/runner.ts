import { userInfo } from 'node:os';

type Env = Readonly<Record<string, string | undefined>>;

/** Longer values of variables are not names of people or jobs. */
const NAME_MAX = 100;
const URL_MAX = 300;

/** The user for the ledger, with the CI job if there is one. */
export function whoRuns(env: Env): string {
  const job = nameIn(env['GITHUB_RUN_ID'] ?? env['CI_JOB_ID'] ?? env['BUILD_ID']);
  const person = nameIn(env['GITHUB_ACTOR'] ?? env['GITLAB_USER_LOGIN']) || userName();
  return job === '' ? person : `${person} (job ${job})`;
}

/** The page of the CI job, for others who wait for it; null outside of CI, and for anything but a web address. */
export function jobUrl(env: Env): string | null {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  const isGitHub = server !== undefined && repository !== undefined && run !== undefined;
  return cleanUrl(isGitHub ? `${server}/${repository}/actions/runs/${run}` : env['CI_JOB_URL']);
}

/** Anyone who opens a pull request may choose a part of it. Without a user, a password, a query and a fragment. */
function cleanUrl(text = ''): string | null {
  try {
    const { protocol, origin, pathname } = new URL(text);
    const url = origin + pathname;
    return /^https?:$/.test(protocol) && url.length <= URL_MAX ? url : null;
  } catch {
    return null;
  }
}

/** One line without control characters, and no longer than a name. */
function nameIn(text = ''): string {
  return text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, NAME_MAX);
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
