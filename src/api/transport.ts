import {
  NEVER_CONNECTED_CODE,
  type Fetch,
  type PresignedPut,
  type PutBytes,
  type WebFetch,
} from '../domain/ports.ts';
import { markBug } from './exchange.ts';
import type { Readable } from 'node:stream';
import { EnvHttpProxyAgent, Pool, buildConnector, request, type Dispatcher } from 'undici';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Real HTTP, through the proxies of HTTP_PROXY, HTTPS_PROXY and NO_PROXY. The request path sets the time-out of a
 * whole call. Each write uses a new connection: a kept one that the server has just closed would make the result
 * unknown.
 */
export function createTransport(): Fetch {
  const reads = markingAgent({ keepsConnections: true });
  const writes = markingAgent({ keepsConnections: false });
  // Read at each call, so that a replaced global fetch is used.
  return async (request, departure) => {
    let hasLeft = false;
    const leaves = () => {
      departure.leaves();
      hasLeft = true;
    };
    const dispatcher = (departure.writes ? writes : reads).compose(departing(leaves));
    try {
      return await globalThis.fetch(request, { dispatcher } as unknown as RequestInit);
    } catch (error) {
      throw hasLeft ? error : markBug(markedPort(error));
    }
  };
}

/**
 * Real HTTP to other sites than the service, through the same proxies. It knows no key of its own. An error with the code
 * `NEVER_CONNECTED_CODE` says that the request was certainly not sent.
 */
export function createWebFetch(): WebFetch {
  const dispatcher = markingAgent({ keepsConnections: true });
  return (url, init) =>
    globalThis.fetch(url, { ...init, redirect: 'manual', dispatcher } as unknown as RequestInit);
}

/** `fetch` refuses some ports before it connects, because other protocols use them. */
function markedPort(error: unknown): unknown {
  if (!(error instanceof Error) || !(error.cause instanceof Error) || error.cause.message !== 'bad port')
    return error;
  const why = 'HTTP clients do not use this port, because another protocol has it';
  return Object.assign(new Error(why), { code: NEVER_CONNECTED_CODE });
}

/** Reports the connection just before the first byte is sent. If `leaves` throws, the request ends. */
function departing(leaves: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart: (controller, context) => {
        leaves();
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (...heard) => handler.onRequestUpgrade?.(...heard),
      onResponseStart: (...heard) => handler.onResponseStart?.(...heard),
      onResponseData: (...heard) => handler.onResponseData?.(...heard),
      onResponseEnd: (...heard) => handler.onResponseEnd?.(...heard),
      onResponseError: (...heard) => handler.onResponseError?.(...heard),
    });
}

/**
 * Connects as ever, and marks each failure to connect, to a proxy and through it as well: a request that found no
 * connection was certainly not sent. Only this tells it apart from an open connection that broke.
 */
export function markingAgent({
  keepsConnections,
}: {
  readonly keepsConnections: boolean;
}): EnvHttpProxyAgent {
  return new EnvHttpProxyAgent({
    connect: buildConnector({ timeout: CONNECT_TIMEOUT_MS }),
    factory: (origin, options: Pool.Options) =>
      new Pool(origin, { ...options, connect: marking(options.connect) }),
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(keepsConnections ? {} : { pipelining: 0 }),
  });
}

function marking(connect: Pool.Options['connect']): buildConnector.connector {
  const connector = typeof connect === 'function' ? connect : buildConnector(connect);
  return (options, callback) => {
    let isConnected = false;
    connector(options, (...[error, socket]) => {
      if (error === null) {
        isConnected = true;
        callback(null, socket);
      } else if (isConnected) callback(error, null);
      else callback(Object.assign(new Error('', { cause: error }), { code: NEVER_CONNECTED_CODE }), null);
    });
  };
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
  const dispatcher = markingAgent({ keepsConnections: false });
  return async (put: PresignedPut) => {
    const { url, contentType, length, signal } = put;
    const headers = { 'content-type': contentType, 'content-length': String(length) };
    // It takes any async iterable and pulls as the socket drains; its types name only streams, which are slower.
    const body = put.body as unknown as Readable;
    const options = { method: 'PUT', headers, body, signal, dispatcher } as const;
    const answer = await request(url, options);
    const { etag } = answer.headers;
    return {
      status: answer.statusCode,
      etag: typeof etag === 'string' ? etag : null,
      bodyText: await readBeginning(answer.body),
    };
  };
}

/** Reads the body to its end, so that the connection can be reused, and keeps its beginning. */
async function readBeginning(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let read = 0;
  try {
    for await (const piece of body) {
      text += decoder.decode(piece.subarray(0, Math.max(0, ANSWER_LIMIT_BYTES - read)), { stream: true });
      read += piece.byteLength;
      if (read > ANSWER_LIMIT_BYTES) break;
    }
  } catch {
    return text;
  }
  return text;
}
