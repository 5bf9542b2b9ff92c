import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Counts } from './counters.ts';
import { listen } from './receiver.ts';

/** What the health of a receiver depends on. */
export interface Health {
  /** Why it cannot store events now; null if it can. */
  readonly problem: () => string | null;
  readonly counts: Counts;
}

const LOOPBACK = '127.0.0.1';

/** Serves `/healthz` and `/readyz` on this machine only. */
export async function startHealth(
  port: number,
  { problem, counts }: Health,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    const isReady = problem() === null;
    const known = request.url === '/healthz' || request.url === '/readyz';
    const status = !known ? 404 : request.url === '/readyz' && !isReady ? 503 : 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ready: isReady, problem: problem(), counts }));
  });
  await listen(server, LOOPBACK, port);
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${LOOPBACK}:${taken}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
