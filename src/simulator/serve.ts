import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Delivery } from './answers.ts';
import type { Simulator } from './simulator.ts';

interface Wire {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Serves on real sockets, so that resets and cut bodies are real. Port 0 takes any free one. */
export async function serveSimulator(simulator: Simulator, { port }: { readonly port: number }) {
  const server = createAdaptorServer({
    fetch: async (request, env) => {
      const result = await simulator.exchange(request);
      if (result.kind === 'reply')
        return new Response(result.body, { status: result.status, headers: result.headers });
      // Served over HTTP/1.1 only, so the bindings are those of node:http.
      const wire = env as Wire;
      sendBroken(result, wire);
      if (result.kind === 'never')
        await new Promise((resolve) => wire.incoming.socket.once('close', resolve));
      return RESPONSE_ALREADY_SENT;
    },
  }) as Server;
  const url = await listen(server, port);
  // The object store has its own socket, and the world's addresses lead to it.
  const storage = createServer({ highWaterMark: PIECE_BYTES }, (incoming, outgoing) => {
    void answerPut(simulator, { incoming, outgoing });
  });
  // Large bodies may take any time.
  storage.requestTimeout = 0;
  simulator.world.storage.baseUrl = await listen(storage, 0);
  const closing = new AbortController();
  const delivering = simulator.courier.run(closing.signal);
  return {
    url,
    close: async (): Promise<void> => {
      closing.abort();
      await delivering;
      await close(storage);
      await close(server);
    },
  };
}

const PIECE_BYTES = 1_048_576;

async function answerPut(simulator: Simulator, { incoming, outgoing }: Wire): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort(new Error('the other side went away')));
  try {
    const delivery = await simulator.store({
      method: incoming.method ?? '',
      url: incoming.url ?? '/',
      header: (name) => incoming.headers[name]?.toString() ?? null,
      // Keep the socket open after the reading: the answer goes out on it.
      body: incoming.iterator({ destroyOnReturn: false }),
      signal: gone.signal,
    });
    if (delivery.kind !== 'reply') return sendBroken(delivery, { incoming, outgoing });
    const length = delivery.body === null ? 0 : Buffer.byteLength(delivery.body);
    outgoing.writeHead(delivery.status, { ...delivery.headers, 'content-length': length });
    outgoing.end(delivery.body ?? undefined);
  } catch {
    incoming.socket.destroy();
  }
}

/** The connection exists already, so it is closed where it should have failed. Only a stopped server can refuse one. */
function sendBroken(delivery: Exclude<Delivery, { kind: 'reply' }>, { incoming, outgoing }: Wire): void {
  if (delivery.kind === 'never') return;
  if (delivery.kind === 'truncated') {
    outgoing.writeHead(delivery.status, { ...delivery.headers, 'content-length': delivery.length });
    outgoing.write(delivery.body, () => incoming.socket.destroy());
  } else if (delivery.reset === true) incoming.socket.resetAndDestroy();
  else incoming.socket.destroy();
}

/** Listens on this machine only, and returns the address. */
async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    // A fault may hold a connection open.
    server.closeAllConnections();
  });
}
