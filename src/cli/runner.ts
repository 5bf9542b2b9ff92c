import { userInfo } from 'node:os';

type Env = Readonly<Record<string, string | undefined>>;

/** Longer values of variables are not names of people or jobs. */
const NAME_MAX = 100;

/** The user for the state, with the CI job if there is one. */
export function whoRuns(env: Env): string {
  const job = nameIn(env['GITHUB_RUN_ID'] ?? env['CI_JOB_ID'] ?? env['BUILD_ID']);
  const person = nameIn(env['GITHUB_ACTOR'] ?? env['GITLAB_USER_LOGIN']) || userName();
  return job === '' ? person : `${person} (job ${job})`;
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
