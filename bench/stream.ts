import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { comparePair, type Comparison } from './pairs.ts';
import { streamBarely, streamRows } from './stream-run.ts';

/** Pages of a thousand rows. */
const PAIR_PAGES = 100;
const MEMORY_PAGES = 1000;

/**
 * A list that streams, against fetching and printing the same pages with nothing between; a million rows, in a
 * process of their own, for the rate and the memory.
 */
export async function benchStream(): Promise<readonly Comparison[]> {
  const { url, stop } = await startPageServer();
  const compare = (format: 'ndjson' | 'csv') =>
    comparePair({
      name: `${PAIR_PAGES * 1000} transactions to ${format}`,
      reference: 'fetch, JSON.parse, JSON.stringify',
      budget: null,
      note: inWords(measure(url, format)),
      ours: async () => expectRows(await streamRows(url, PAIR_PAGES, format)),
      theirs: async () => expectRows(await streamBarely(url, PAIR_PAGES)),
    });
  try {
    return [await compare('ndjson'), await compare('csv')];
  } finally {
    stop();
  }
}

function expectRows(rows: number): void {
  if (rows !== PAIR_PAGES * 1000) throw new Error(`${rows} rows came instead of ${PAIR_PAGES * 1000}`);
}

async function startPageServer(): Promise<{ readonly url: string; readonly stop: () => void }> {
  const server = spawn(process.execPath, ['scripts/run.js', 'bench/page-server.ts'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = (await once(server.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${String(port).trim()}`, stop: () => server.stdin.end() };
}

interface Measured {
  readonly rows: number;
  readonly ms: number;
  readonly startRss: number;
  readonly peakRss: number;
}

function measure(url: string, format: string): Measured {
  const run = ['scripts/run.js', 'bench/stream-memory.ts', url, String(MEMORY_PAGES), format];
  const { status, stdout } = spawnSync(process.execPath, run, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) throw new Error(`the stream ended with ${status ?? 'a signal'}`);
  return JSON.parse(String(stdout)) as Measured;
}

function inWords({ rows, ms, startRss, peakRss }: Measured): string {
  const mb = (bytes: number) => Math.round(bytes / 1e6);
  const rate = Math.round(rows / (ms / 1000));
  return `${rows} rows: ${rate} rows/s (at least 50000), peak ${mb(peakRss)} MB (below 150), ${mb(peakRss - startRss)} over start`;
}
