import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import {
  createServer as createHttp,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { createServer as createTcp, type AddressInfo, type Socket } from 'node:net';
import { afterEach } from 'vitest';
import { createTransport } from '../../src/api/transport.ts';
import type { ClientOptions } from '../../src/api/client.ts';
import { aScene } from './client-scene.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function listening(server: ReturnType<typeof createTcp>): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A client that hangs up is part of these tests.
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  return (server.address() as AddressInfo).port;
}

/** A server that speaks HTTP. */
export async function anHttpServer(answer: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createHttp(answer);
  return { url: `http://127.0.0.1:${await listening(server)}`, server };
}

/** A server that speaks whatever it likes; gets each connection. */
export async function aTcpServer(talk: (socket: Socket) => void): Promise<number> {
  return listening(createTcp(talk));
}

/** A port on which nothing listens any more. */
export async function aClosedPort(): Promise<number> {
  const port = await aTcpServer(() => undefined);
  await closers.pop()?.();
  return port;
}

/** Ends the connections that the client opens from now on, as the kernel does: with an error of its choice. */
export function breakLines(): { fail(error: Error): void } {
  const sockets = new Set<Socket>();
  const onConnected = (message: unknown) => void sockets.add((message as { socket: Socket }).socket);
  subscribe('undici:client:connected', onConnected);
  closers.push(async () => void unsubscribe('undici:client:connected', onConnected));
  return {
    fail: (error) => {
      for (const socket of sockets) socket.destroy(error);
    },
  };
}

/** A client over the real transport. */
export function aWire(baseUrl: string, options: Partial<ClientOptions> = {}) {
  return aScene(() => new Response(), { baseUrl, fetch: createTransport(), ...options });
}

export async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
