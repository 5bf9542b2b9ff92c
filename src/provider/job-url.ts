type Env = Readonly<Record<string, string | undefined>>;

const URL_MAX = 300;

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
