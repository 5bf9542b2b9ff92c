import type { ProviderName } from './job.ts';

/** The variables with a token, the first that is set wins. `CI_JOB_TOKEN` is not one: it cannot write comments. */
const TOKEN_VARIABLES = {
  github: ['GITHUB_TOKEN', 'GH_TOKEN'],
  gitlab: ['HERALD_GITLAB_TOKEN', 'GITLAB_TOKEN'],
} as const satisfies Readonly<Record<Exclude<ProviderName, 'generic'>, readonly string[]>>;

/** All of them, to keep them out of every output. */
export const PROVIDER_TOKENS: readonly string[] = Object.values(TOKEN_VARIABLES).flat();
