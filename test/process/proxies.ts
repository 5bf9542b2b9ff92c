import { readFileSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { createServer as createTls } from 'node:tls';

const at = (name: string): string => join(import.meta.dirname, 'certificates', name);
/** The file of the authority that signed the certificate of `service.test`, `localhost` and 127.0.0.1. */
export const CA_FILE = at('ca.pem');
const certificate = () => ({ key: readFileSync(at('service.key')), cert: readFileSync(at('service.pem')) });

export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens on a free port. Closing it ends its connections. */
export async function listening(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Joins two connections; the end of one ends the other. */
function joinStreams(one: Duplex, other: Duplex): void {
  one.pipe(other).pipe(one);
  for (const [here, there] of [
    [one, other],
    [other, one],
  ] as const) {
    here.on('error', () => there.destroy());
    here.on('close', () => there.destroy());
  }
}

/** Speaks TLS as `service.test`, and passes what it hears to a plain port. */
export async function tlsInFrontOf(port: number): Promise<Listening> {
  return listening(createTls(certificate(), (socket) => joinStreams(socket, connect(port, '127.0.0.1'))));
}

export interface Proxy extends Listening {
  /** What tunnels were asked for, and with which credentials. */
  readonly asked: { readonly to: string; readonly credentials: string | undefined }[];
}

/** A proxy that opens every tunnel to one port, whatever host it is asked for; `refuse` is the status of a refusal. */
export async function aProxy(
  target: number,
  { secure = false, refuse }: { secure?: boolean; refuse?: number } = {},
): Promise<Proxy> {
  const asked: { to: string; credentials: string | undefined }[] = [];
  const server = secure ? createHttps(certificate()) : createHttp();
  server.on('connect', (request: IncomingMessage, client: Duplex) => {
    asked.push({ to: request.url ?? '', credentials: request.headers['proxy-authorization'] });
    client.on('error', () => undefined);
    if (refuse !== undefined) {
      client.end(`HTTP/1.1 ${refuse} No\r\n\r\n`);
      return;
    }
    const onward = connect(target, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      joinStreams(client, onward);
    });
    onward.on('error', () => client.destroy());
  });
  return { ...(await listening(server)), asked };
}
