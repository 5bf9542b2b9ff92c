import {
  NEVER_SENT_CODE,
  type Fetch,
  type PresignedPut,
  type PutBytes,
  type WebFetch,
} from '../domain/ports.ts';
import type { Readable } from 'node:stream';
import { EnvHttpProxyAgent, request, type Dispatcher } from 'undici';
import { readStart } from './send-call.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Real HTTP, through the proxies of HTTP_PROXY, HTTPS_PROXY and NO_PROXY. The request path sets the time-out of a
 * whole call. Each write uses a new connection: a kept one that the server has just closed would make the result
 * unknown.
 */
export function createTransport(): Fetch {
  const reads = makeAgent({ keepsConnections: true });
  const writes = makeAgent({ keepsConnections: false });
  return (request, { writes: isWrite, leaves }) =>
    sendMarked(isWrite ? writes : reads, leaves, (dispatcher) =>
      // Looked up at each call, so that a replaced global fetch is used.
      globalThis.fetch(request, { dispatcher } as unknown as RequestInit),
    );
}

/** Real HTTP to other sites than the service, through the same proxies. It knows no key of its own. */
export function createWebFetch(): WebFetch {
  const dispatcher = makeAgent({ keepsConnections: true });
  return (url, init) =>
    globalThis.fetch(url, { ...init, redirect: 'manual', dispatcher } as unknown as RequestInit);
}

function makeAgent({ keepsConnections }: { readonly keepsConnections: boolean }): EnvHttpProxyAgent {
  return new EnvHttpProxyAgent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(keepsConnections ? {} : { pipelining: 0 }),
  });
}

/**
 * Sends a request and calls `leaves` when the connection stands, just before the first byte; if it throws, the request
 * ends. Whatever fails before that (the name, the connection, TLS, a proxy, Herald itself) sent nothing, and the error
 * has the code `NEVER_SENT_CODE`. A `fetch` that another library put in place may not use the dispatcher: then nothing
 * is known.
 */
async function sendMarked<Answer>(
  agent: Dispatcher,
  leaves: () => void,
  send: (dispatcher: Dispatcher) => Promise<Answer>,
): Promise<Answer> {
  let isDispatched = false;
  let hasLeft = false;
  const dispatcher = agent.compose((dispatch) => (options, handler) => {
    isDispatched = true;
    return dispatch(options, {
      onRequestStart: (controller, context) => {
        leaves();
        hasLeft = true;
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (...heard) => handler.onRequestUpgrade?.(...heard),
      onResponseStart: (...heard) => handler.onResponseStart?.(...heard),
      onResponseData: (...heard) => handler.onResponseData?.(...heard),
      onResponseEnd: (...heard) => handler.onResponseEnd?.(...heard),
      onResponseError: (...heard) => handler.onResponseError?.(...heard),
    });
  });
  try {
    return await send(dispatcher);
  } catch (error) {
    if (hasLeft || !isDispatched) throw error;
    throw Object.assign(new Error('', { cause: error }), { code: NEVER_SENT_CODE });
  }
}

/** The limit for reading an answer's body. Any error of an object store fits. */
const ANSWER_LIMIT_BYTES = 65_536;

/**
 * Bytes to the object store, through the proxies that HTTP_PROXY, HTTPS_PROXY and NO_PROXY name. It knows no key, so
 * it can send none, and follows no redirect. How long a put may take is its signal's business: only the caller sees
 * whether bytes still move. `request` with an exact length streams; a `fetch` would hold the whole body.
 */
export function createPresignedTransport(): PutBytes {
  // A kept connection that the store has just closed would look like a put that broke.
  const agent = makeAgent({ keepsConnections: false });
  return async ({ url, contentType, length, signal, body: bytes }: PresignedPut) => {
    const headers = { 'content-type': contentType, 'content-length': String(length) };
    // It takes any async iterable and pulls as the socket drains; its types name only streams, which are slower.
    const body = bytes as unknown as Readable;
    const answer = await sendMarked(
      agent,
      () => undefined,
      (dispatcher) => request(url, { method: 'PUT', headers, body, signal, dispatcher }),
    );
    const { etag } = answer.headers;
    // Without the beginning of the body, a message says less.
    const start = await readStart(answer.body, ANSWER_LIMIT_BYTES).catch(() => null);
    return {
      status: answer.statusCode,
      etag: typeof etag === 'string' ? etag : null,
      bodyText: new TextDecoder().decode(start?.bytes),
    };
  };
}
