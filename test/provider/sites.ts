import { createWebFetch } from '../../src/api/transport.ts';
import { gitHubProvider } from '../../src/provider/github.ts';
import { gitLabProvider } from '../../src/provider/gitlab.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { serveGitHub } from './github-server.ts';
import type { ServedSite } from './served-provider.ts';
import { serveGitLab } from './gitlab-server.ts';

/** A provider, and the server that it asks. */
export interface Site {
  readonly served: ServedSite;
  readonly connect: (token?: string, apiUrl?: string) => Provider;
  /** The page of a pull request. */
  readonly page: (number: number) => string;
  /** The name of the file in an artifact. */
  readonly inArtifact: (name: string, file: string) => string;
  /** The header with the token. */
  readonly header: string;
}

const shared = (token: string, apiUrl: string) => ({
  token,
  apiUrl,
  fetch: createWebFetch(),
  clock: flowClock(),
  userAgent: 'herald/test',
  secondMs: 1,
});

async function aGitHub(): Promise<Site> {
  const served = await serveGitHub();
  const { api } = served.origins;
  return {
    served,
    connect: (token = 'bot-token', apiUrl = `${api}/api/v3`) =>
      gitHubProvider({ ...shared(token, apiUrl), graphqlUrl: `${api}/api/graphql` }, served.world.repository),
    page: (number) => `https://github.example/acme/ads/pull/${number}`,
    inArtifact: (_name, file) => file,
    header: 'authorization',
  };
}

export async function aGitLab(): Promise<Site> {
  const served = await serveGitLab();
  const { api } = served.origins;
  return {
    served,
    connect: (token = 'bot-token', apiUrl = `${api}/api/v4`) =>
      gitLabProvider(shared(token, apiUrl), served.world.repository),
    page: (number) => `${api}/acme/eu/ads/-/merge_requests/${number}`,
    inArtifact: (name, file) => `${name}/${file}`,
    header: 'private-token',
  };
}

export const SITES = [
  ['GitHub', aGitHub],
  ['GitLab', aGitLab],
] as const;
