import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the store got in one put. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly size: number;
  readonly sha256: string;
}

/** An object store of a few lines on a socket, for what the simulator's would never do. */
export interface PlainStore {
  readonly url: string;
  readonly arrivals: Arrival[];
  close(): Promise<void>;
}

export async function servePlainStore(
  answer: (arrival: Arrival, response: ServerResponse) => void,
  onRequest: (request: IncomingMessage, response: ServerResponse) => boolean = () => true,
): Promise<PlainStore> {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    if (!onRequest(request, response)) return;
    const hash = createHash('sha256');
    let size = 0;
    request.on('data', (piece: Buffer) => {
      size += piece.byteLength;
      hash.update(piece);
    });
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const arrival = { method, path: url, headers, size, sha256: hash.digest('hex') };
      arrivals.push(arrival);
      answer(arrival, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
