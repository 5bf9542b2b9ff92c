import type { WebFetch } from '../domain/ports.ts';
import { markingAgent } from './transport.ts';

/**
 * Real HTTP to other sites than the service, through the proxies of HTTP_PROXY, HTTPS_PROXY and NO_PROXY. It knows no
 * key of its own. An error with the code `NEVER_CONNECTED_CODE` says that the request was certainly not sent.
 */
export function createWebFetch(): WebFetch {
  const dispatcher = markingAgent({ keepsConnections: true });
  // Read at each call, so that a replaced global fetch is used.
  return (url, init) =>
    globalThis.fetch(url, { ...init, redirect: 'manual', dispatcher } as unknown as RequestInit);
}
