import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createTcp, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { createTransport } from '../../src/api/transport.ts';
import type { ClientOptions } from '../../src/api/client.ts';
import { listening } from '../process/proxies.ts';
import { aClientScene } from './client-scene.ts';

async function portOf(server: ReturnType<typeof createTcp>): Promise<number> {
  const { port, close } = await listening(server);
  onTestFinished(close);
  return port;
}

/** A server that speaks HTTP. */
export async function anHttpServer(answer: RequestListener): Promise<{ url: string }> {
  return { url: `http://127.0.0.1:${await portOf(createHttp(answer))}` };
}

/** A server that speaks whatever it likes; gets each connection. */
export async function aTcpServer(talk: (socket: Socket) => void): Promise<number> {
  return portOf(createTcp(talk));
}

/** A port on which nothing listens any more. */
export async function aClosedPort(): Promise<number> {
  const { port, close } = await listening(createTcp());
  await close();
  return port;
}

/** A client over the real transport. */
export function aWire(baseUrl: string, options: Partial<ClientOptions> = {}) {
  return aClientScene(() => new Response(), { baseUrl, fetch: createTransport(), ...options });
}
