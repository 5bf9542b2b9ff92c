import type { ClientOptions } from './client.ts';
import { readSecret } from '../domain/secret.ts';
import { isLoopback } from '../domain/service-identity.ts';
import { ProviderError } from './error.ts';
import type { Job, ProviderName } from './job.ts';
import type { Provider } from './provider.ts';

interface ProviderPorts extends Pick<ClientOptions, 'fetch' | 'clock' | 'userAgent'> {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A server on this machine, as in tests, has no limit of its own. */
const SECOND_HERE_MS = 1;

/**
 * The provider of a job, with the token of the environment; null for `generic`, which is never asked. Rejects with
 * `provider-no-token` without a token, or `provider-not-found` if the environment does not name the repository.
 */
export async function connectProvider(job: Job, ports: ProviderPorts): Promise<Provider | null> {
  if (job.provider === 'generic') return null;
  const { env, ...others } = ports;
  const token = tokenIn(env, job.provider);
  if (job.repository === null)
    throw new ProviderError('provider-not-found', 'The environment names no repository.', null, {
      next: 'Run the command in a job, or set GITHUB_REPOSITORY or CI_PROJECT_PATH to owner/name.',
    });
  if (job.provider === 'gitlab') {
    const { gitLabProvider } = await import('./gitlab.ts');
    const { url, pace } = readAddress('CI_API_V4_URL', env, gitLabApi(env));
    return gitLabProvider({ ...others, ...pace, token, apiUrl: url }, job.repository);
  }
  const { gitHubProvider } = await import('./github.ts');
  const { url, pace } = readAddress('GITHUB_API_URL', env, gitHubApi(env));
  const graphql = readAddress('GITHUB_GRAPHQL_URL', env, `${url.replace(/\/v3$/, '')}/graphql`);
  return gitHubProvider({ ...others, ...pace, token, apiUrl: url, graphqlUrl: graphql.url }, job.repository);
}

/** Where the API of a server is that only its own address names, as on a person's machine. */
function gitLabApi({ CI_SERVER_URL: server = '' }: ProviderPorts['env']): string {
  return `${server === '' ? 'https://gitlab.com' : server.replace(/\/+$/, '')}/api/v4`;
}

/** GitHub Enterprise Server has its API below its own address; GitHub.com and its data regions have a host for it. */
function gitHubApi({ GITHUB_SERVER_URL: server = '' }: ProviderPorts['env']): string {
  const origin = server === '' ? 'https://github.com' : server.replace(/\/+$/, '');
  return /^https:\/\/(?:github\.com|[\w-]+\.ghe\.com)$/i.test(origin)
    ? origin.replace('https://', 'https://api.')
    : `${origin}/api/v3`;
}

/** The token is sent there, so it must be encrypted, or not leave this machine. */
function readAddress(variable: string, env: ProviderPorts['env'], otherwise: string) {
  const value = env[variable] ?? '';
  const text = value === '' ? otherwise : value;
  const address = URL.canParse(text) ? new URL(text) : null;
  const isHere = address !== null && isLoopback(address);
  if (address?.protocol !== 'https:' && !(address?.protocol === 'http:' && isHere))
    throw new ProviderError('provider-odd-answer', `${variable} is not an https address.`, null);
  return { url: text.replace(/\/+$/, ''), pace: isHere ? { secondMs: SECOND_HERE_MS } : {} };
}

/** The variables with a token, the first that is set wins. `CI_JOB_TOKEN` is not one: it cannot write comments. */
const TOKEN_VARIABLES = {
  github: ['GITHUB_TOKEN', 'GH_TOKEN'],
  gitlab: ['HERALD_GITLAB_TOKEN', 'GITLAB_TOKEN'],
} as const satisfies Readonly<Record<Exclude<ProviderName, 'generic'>, readonly string[]>>;

/** A token never has another character. One with a line break would be a part of two headers. */
const TOKEN = /^[!-~]+$/;

/** The token of the environment. Rejects if there is none. */
function tokenIn(env: ProviderPorts['env'], provider: keyof typeof TOKEN_VARIABLES): string {
  const variables = TOKEN_VARIABLES[provider];
  const [variable] = variables.filter((name) => readSecret(env, name) !== null);
  if (variable === undefined)
    throw new ProviderError('provider-no-token', `No token: ${variables.join(' and ')} are not set.`, null);
  const token = (env[variable] ?? '').trim();
  if (TOKEN.test(token)) return token;
  const why = `${variable} has a character that no token has. It may be a file or a name of a secret.`;
  throw new ProviderError('provider-no-token', why, null);
}
