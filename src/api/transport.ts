import { buildConnector, EnvHttpProxyAgent, Pool, type Dispatcher } from 'undici';
import { NEVER_CONNECTED_CODE, type Fetch, type WebFetch } from '../domain/ports.ts';
import { markBug } from './exchange.ts';

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
