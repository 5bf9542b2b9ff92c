import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Exchange } from './delivery.ts';
import type { Simulator } from './simulator.ts';
import { serveStorage } from './vault/serve-storage.ts';

export interface ServeOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** Default: the loopback address. */
  readonly host?: string | undefined;
}

/** A simulator that listens. */
export interface ServedSimulator {
  readonly url: string;
  close(): Promise<void>;
}

interface Wire {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/**
 * Serves on real sockets, with a separate socket for the object store. So resets, cut bodies and missing answers
 * are real.
 */
export async function serveSimulator(
  simulator: Simulator,
  { port, host = '127.0.0.1' }: ServeOptions,
): Promise<ServedSimulator> {
  const server = createAdaptorServer({
    fetch: async (request, env) => {
      const result = await simulator.exchange(request);
      // Served over HTTP/1.1 only, so the bindings are those of node:http.
      return result instanceof Response ? result : send(result, env as Wire);
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  const storage = await serveStorage(simulator, host);
  const closing = new AbortController();
  const delivering = simulator.courier.run(closing.signal);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    close: async () => {
      closing.abort();
      await delivering;
      await storage.close();
      await new Promise<void>((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        // A fault may hold a connection open.
        if ('closeAllConnections' in server) server.closeAllConnections();
      });
    },
  };
}

async function send(exchange: Exchange, { incoming, outgoing }: Wire): Promise<Response> {
  switch (exchange.kind) {
    case 'reply':
      return new Response(exchange.body, { status: exchange.status, headers: exchange.headers });
    case 'truncated':
      outgoing.writeHead(exchange.status, { ...exchange.headers, 'content-length': exchange.length });
      outgoing.write(exchange.body, () => incoming.socket.destroy());
      return RESPONSE_ALREADY_SENT;
    case 'reset':
      incoming.socket.resetAndDestroy();
      return RESPONSE_ALREADY_SENT;
    case 'refused':
    case 'failed':
      // The connection exists already, so close it. Only a stopped server can refuse one.
      incoming.socket.destroy();
      return RESPONSE_ALREADY_SENT;
    case 'never':
      await new Promise((resolve) => incoming.socket.once('close', resolve));
      return RESPONSE_ALREADY_SENT;
  }
}
