import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Exchange } from '../delivery.ts';
import type { Simulator } from '../simulator.ts';

/** The number of bytes read from a socket at once. */
const PIECE_BYTES = 1_048_576;

/** Serves the object store on its own socket, and sets the world's addresses to it. */
export async function serveStorage(simulator: Simulator, host: string): Promise<{ close(): Promise<void> }> {
  const server = createServer({ highWaterMark: PIECE_BYTES }, (incoming, outgoing) => {
    void answer(simulator, incoming, outgoing);
  });
  // Large bodies may take any time.
  server.requestTimeout = 0;
  const { storage } = simulator.world;
  const port = await listenOn(server, host, storage.port ?? 0);
  storage.port = port;
  storage.baseUrl = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        // A fault may hold a connection open.
        server.closeAllConnections();
      }),
  };
}

/** Listens on the port, or on a free one if another process has it. Returns the port. */
async function listenOn(server: Server, host: string, port: number): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    if (port === 0) throw error;
    return listenOn(server, host, 0);
  }
  return (server.address() as AddressInfo).port;
}

async function answer(
  simulator: Simulator,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort(new Error('the other side went away')));
  try {
    const exchange = await simulator.store({
      method: incoming.method ?? '',
      url: incoming.url ?? '/',
      header: (name) => incoming.headers[name]?.toString() ?? null,
      // Keep the socket open after the reading: the answer goes out on it.
      body: incoming.iterator({ destroyOnReturn: false }),
      signal: gone.signal,
    });
    send(exchange, incoming, outgoing);
  } catch {
    incoming.socket.destroy();
  }
}

function send(exchange: Exchange, incoming: IncomingMessage, outgoing: ServerResponse): void {
  switch (exchange.kind) {
    case 'reply':
      outgoing.writeHead(exchange.status, { ...exchange.headers, 'content-length': lengthOf(exchange.body) });
      outgoing.end(exchange.body ?? undefined);
      return;
    case 'reset':
      incoming.socket.resetAndDestroy();
      return;
    case 'refused':
    case 'failed':
    case 'truncated':
      // The connection exists already, so close it at once.
      incoming.socket.destroy();
      return;
    case 'never':
      return;
  }
}

function lengthOf(body: string | Uint8Array | null): number {
  return body === null ? 0 : Buffer.byteLength(body);
}
