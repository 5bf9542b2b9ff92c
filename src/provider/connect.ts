import type { Clock, WebFetch } from '../domain/ports.ts';
import { ProviderError } from './error.ts';
import type { Job } from './job.ts';
import type { Provider } from './provider.ts';
import { tokenIn } from './tokens.ts';

export interface ProviderPorts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch: WebFetch;
  readonly clock: Clock;
  /** `herald/1.2.3`. */
  readonly userAgent: string;
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
    const { GitLabProvider } = await import('./gitlab/provider.ts');
    const { url, pace } = addressOf('CI_API_V4_URL', env, gitLabApi(env));
    return new GitLabProvider({ ...others, ...pace, token, apiUrl: url }, job.repository);
  }
  const { GitHubProvider } = await import('./github/provider.ts');
  const { url, pace } = addressOf('GITHUB_API_URL', env, gitHubApi(env));
  const graphql = addressOf('GITHUB_GRAPHQL_URL', env, `${url.replace(/\/v3$/, '')}/graphql`);
  return new GitHubProvider(
    { ...others, ...pace, token, apiUrl: url, graphqlUrl: graphql.url },
    job.repository,
  );
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
function addressOf(variable: string, env: ProviderPorts['env'], otherwise: string) {
  const value = env[variable] ?? '';
  const text = value === '' ? otherwise : value;
  const address = URL.canParse(text) ? new URL(text) : null;
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(address?.hostname ?? '');
  if (address?.protocol !== 'https:' && !(address?.protocol === 'http:' && isHere))
    throw new ProviderError('provider-odd-answer', `${variable} is not an https address.`, null);
  return { url: text.replace(/\/+$/, ''), pace: isHere ? { secondMs: SECOND_HERE_MS } : {} };
}
