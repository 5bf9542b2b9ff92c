import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';

/** Stands between Herald and the database, and breaks the line as a network does. */
export interface PostgresProxy {
  /** The address of the same database through the proxy. */
  readonly url: string;
  /** Cuts the connection of the statement with the words, once: before the server gets it, or before its answer. */
  cutAt(words: string, when: 'before' | 'answer'): void;
  /** From now on nothing passes, in either direction, and no connection ends. */
  stall(): void;
  /** Cuts all connections at this moment. New ones pass. */
  cutAll(): void;
  close(): void;
}

/** A proxy to the socket that the address of a test database names. */
export async function postgresProxy(url: string): Promise<PostgresProxy> {
  const { username, password, pathname, searchParams } = new URL(url.replace('@/', '@localhost/'));
  const sockets = new Set<Socket>();
  let cut: { readonly words: string; readonly when: 'before' | 'answer' } | null = null;
  let isStalled = false;
  const server = createServer((client) => {
    const database = connect(join(searchParams.get('host') ?? '', '.s.PGSQL.5432'));
    const both = [client, database];
    const end = () => both.forEach((socket) => socket.destroy());
    let losesAnswer = false;
    for (const socket of both) {
      sockets.add(socket);
      socket.on('error', end).on('close', () => {
        sockets.delete(socket);
        if (!isStalled) end();
      });
    }
    client.on('data', (bytes) => {
      if (isStalled) return;
      if (cut !== null && bytes.includes(cut.words)) {
        const { when } = cut;
        cut = null;
        if (when === 'before') return end();
        losesAnswer = true;
      }
      database.write(bytes);
    });
    database.on('data', (bytes) => {
      if (losesAnswer) end();
      else if (!isStalled) client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`,
    cutAt: (words, when) => (cut = { words, when }),
    stall: () => (isStalled = true),
    cutAll: () => sockets.forEach((socket) => socket.destroy()),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
