import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { compareWithBound, median, type Comparison } from './pairs.ts';

/** Of a thousand rows. */
const PAGES = 1000;
const RUNS = 3;

const ROWS_PER_SECOND = 50_000;
const MEMORY_BUDGET_MB = 150;

/** A list of a million rows that streams, in processes of their own, for the rate and the memory. */
export async function benchStream(): Promise<readonly Comparison[]> {
  const { url, stop } = await startPageServer();
  try {
    return (['ndjson', 'csv'] as const).flatMap((format) => longStream(url, format));
  } finally {
    stop();
  }
}

type Format = 'ndjson' | 'csv';

function longStream(url: string, format: Format): readonly Comparison[] {
  const runs = Array.from({ length: RUNS }, () => measure(url, format));
  const name = `${PAGES * 1000} transactions to ${format}`;
  const perSecond = median(runs.map(({ rows, ms }) => rows / (ms / 1000)));
  const over = median(runs.map(({ startRss, peakRss }) => (peakRss - startRss) / 1e6));
  return [
    compareWithBound(
      {
        name,
        reference: `${ROWS_PER_SECOND} rows/s`,
        unit: 's',
        budget: 1,
        note: `${Math.round(perSecond)} rows/s`,
      },
      runs.map(({ ms }) => ms / 1000),
      (PAGES * 1000) / ROWS_PER_SECOND,
    ),
    compareWithBound(
      {
        name,
        reference: `${MEMORY_BUDGET_MB} MB`,
        unit: 'MB',
        budget: 1,
        note: `peak memory, ${over.toFixed(0)} MB over start`,
      },
      runs.map(({ peakRss }) => peakRss / 1e6),
      MEMORY_BUDGET_MB,
    ),
  ];
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

function measure(url: string, format: Format): Measured {
  const run = ['scripts/run.js', 'bench/stream-run.ts', url, String(PAGES), format];
  const { status, stdout } = spawnSync(process.execPath, run, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) throw new Error(`the stream ended with ${status ?? 'a signal'}`);
  const measured = JSON.parse(String(stdout)) as Measured;
  if (measured.rows !== PAGES * 1000) throw new Error(`${measured.rows} rows came`);
  return measured;
}
