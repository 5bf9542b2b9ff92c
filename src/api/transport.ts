import { buildConnector, EnvHttpProxyAgent } from 'undici';
import { NEVER_CONNECTED_CODE } from './exchange.ts';
import type { Fetch } from './request.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Real HTTP, through the proxies that HTTP_PROXY, HTTPS_PROXY and NO_PROXY name. The time-out of a whole
 * call is the request path's. Writes take a fresh connection each: a kept one that the server has just
 * closed turns a safe failure into an unknown one.
 */
export function createTransport(): Fetch {
  const options = { connect: markedConnector(), headersTimeout: 0, bodyTimeout: 0 };
  const reads = new EnvHttpProxyAgent(options);
  const writes = new EnvHttpProxyAgent({ ...options, pipelining: 0 });
  // Looked up at each call, so that whatever replaced the global fetch in the meantime is used.
  return (request, row) =>
    globalThis.fetch(request, { dispatcher: row.writes ? writes : reads } as unknown as RequestInit);
}

/** Connects as ever, and marks each failure: a request that found no connection was certainly not sent. */
export function markedConnector(): buildConnector.connector {
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS });
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(Object.assign(new Error('', { cause: error }), { code: NEVER_CONNECTED_CODE }), null);
    });
}
