import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A service that costs next to nothing: transactions by cursor, in pages of a thousand that were made before
 * the first request. The account's id on the platform is how many pages it has. It tells its port on stdout
 * and ends when its stdin does.
 */
const PAGE_ROWS = 1000;
/** Pages that differ; they come round again and again. */
const PAGES = 50;

const pages = Array.from({ length: PAGES }, (_, page) =>
  JSON.stringify(Array.from({ length: PAGE_ROWS }, (_row, row) => transaction(page * PAGE_ROWS + row))),
);

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const total = Number(/accounts\/(\d+)\//.exec(pathname)?.[1] ?? 1);
  const at = Number(searchParams.get('cursor') ?? 0);
  const next = at + 1 < total ? `,"cursor":"${at + 1}"` : '';
  response.setHeader('content-type', 'application/json');
  response.end(`{"items":${pages[at % PAGES]}${next}}`);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().on('end', () => process.exit(0));

function transaction(number: number) {
  return {
    id: String(7_000_000_000_000_000_000n + BigInt(number) * 7919n),
    amount: (number % 50_000) / 100,
    fan: { id: String(300_000_000 + number) },
    type: number % 3 === 0 ? 'tip' : 'message',
    status: number % 40 === 0 ? 'loading' : 'done',
    timestamp: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(),
  };
}
