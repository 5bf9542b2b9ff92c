import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';

/** A page on a random port of this machine. Its address has a token, so that no other page can read it. */
export interface ServedPreview {
  readonly url: string;
  /** Shows this page from now on, and reloads those that are open. */
  show(html: string): void;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** A reload is asked for again after this long. */
const WAIT_MS = 20_000;

const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const EMPTY = '<!doctype html><title>Herald preview</title><p>The files have errors. See the terminal.</p>';

export async function servePreview(): Promise<ServedPreview> {
  const token = randomUUID();
  let html = EMPTY;
  // A page that was loaded before the newest one learns of it at once.
  let isNewestLoaded = true;
  const changes = new EventEmitter();
  const server = createAdaptorServer({
    fetch: async (request) => {
      const { pathname, host } = new URL(request.url);
      // A name that leads here from elsewhere is not answered.
      if (host !== address() || request.method !== 'GET') return refused();
      if (pathname === `/${token}/`) {
        isNewestLoaded = true;
        return new Response(html, { headers: { ...HEADERS, 'content-type': 'text/html; charset=utf-8' } });
      }
      if (pathname === `/${token}/changes`) {
        const isNewer = !isNewestLoaded || (await nextPage(request.signal));
        return new Response(null, { status: isNewer ? 205 : 204, headers: HEADERS });
      }
      return refused();
    },
  });
  const nextPage = (signal: AbortSignal) =>
    once(changes, 'page', { signal: AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]) }).then(
      () => true,
      () => false,
    );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, HOST, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const address = () => `${HOST}:${port}`;
  return {
    url: `http://${HOST}:${port}/${token}/`,
    show: (newer) => {
      html = newer;
      isNewestLoaded = false;
      changes.emit('page');
    },
    close: () =>
      new Promise<void>((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

function refused(): Response {
  return new Response('Not found', { status: 404, headers: HEADERS });
}
