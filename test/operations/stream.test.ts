import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROWS = 100_000;
/** Of the whole process, on a machine that is busy with other tests; where all rows are held it takes 420. */
const MEMORY_MAX_MB = 180;
/** A part of what an idle machine does, because a test shares it with others. */
const ROWS_PER_SECOND_MIN = 8_000;

const started: ChildProcess[] = [];
afterAll(() => {
  for (const { stdin } of started) stdin?.end();
});

/** Starts a program of this repository; answers the first thing that it says. */
async function run(entry: string, ...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['scripts/run.js', entry, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  started.push(child);
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return String(said).trim();
}

let port = '';
beforeAll(async () => {
  port = await run('bench/page-server.ts');
});

describe('a long list over a socket, in processes of their own', () => {
  it.each(['ndjson', 'csv', 'json'])(
    `of ${ROWS} rows is streamed whole as %s, in memory that stays flat`,
    async (format) => {
      const pages = String(ROWS / 1000);
      const said = await run('bench/stream-memory.ts', `http://127.0.0.1:${port}`, pages, format);
      const { rows, cpuMs = Infinity, peakRss = Infinity } = JSON.parse(said) as Record<string, number>;
      expect(rows).toBe(ROWS);
      expect(peakRss / 1e6).toBeLessThan(MEMORY_MAX_MB);
      expect(ROWS / (cpuMs / 1000)).toBeGreaterThan(ROWS_PER_SECOND_MIN);
    },
    60_000,
  );
});
