import { readSecret } from '../domain/secret.ts';
import { ProviderError } from './error.ts';
import type { ProviderName } from './job.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The variables with a token, the first that is set wins. `CI_JOB_TOKEN` is not one: it cannot write comments. */
const TOKEN_VARIABLES = {
  github: ['GITHUB_TOKEN', 'GH_TOKEN'],
  gitlab: ['HERALD_GITLAB_TOKEN', 'GITLAB_TOKEN'],
} as const satisfies Readonly<Record<Exclude<ProviderName, 'generic'>, readonly string[]>>;

const NEXT = {
  github:
    'Add `env: { GITHUB_TOKEN: "${{ github.token }}" }` to the step. Without a token: --provider generic',
  gitlab:
    'Make a project access token with the scope `api`, and save it as the masked variable HERALD_GITLAB_TOKEN. CI_JOB_TOKEN cannot write comments. Without a token: --provider generic',
} as const;

/** A token never has another character. One with a line break would be a part of two headers. */
const TOKEN = /^[!-~]+$/;

/** The token of the environment. Rejects if there is none. */
export function tokenIn(env: Env, provider: keyof typeof TOKEN_VARIABLES): string {
  const variables = TOKEN_VARIABLES[provider];
  const [variable] = variables.filter((name) => readSecret(env, name) !== null);
  const next = { next: NEXT[provider] };
  if (variable === undefined)
    throw new ProviderError(
      'provider-no-token',
      `No token: ${variables.join(' and ')} are not set.`,
      null,
      next,
    );
  const token = (env[variable] ?? '').trim();
  if (TOKEN.test(token)) return token;
  throw new ProviderError(
    'provider-no-token',
    `${variable} has a character that no token has. It may be a file or a name of a secret.`,
    null,
    next,
  );
}
