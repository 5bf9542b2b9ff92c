import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { comparePair, compareWithBound, type Comparison } from './pairs.ts';
import { putToStore } from './upload-run.ts';

const FULL_BYTES = 2 ** 30;
const SPARSE_BYTES = 4 * 2 ** 30;
const PARTS = 16;

/** The time may be so many times curl's. */
const BUDGET = 1.11;
const MEMORY_BUDGET_MB = 200;
const RUNS = 5;

/** Bytes to a store that hashes what it gets, in one piece and in parts, against `curl -T` of the same file. */
export async function benchUpload(): Promise<readonly Comparison[]> {
  const folder = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  const path = join(folder, 'bench.mp4');
  const store = await startStore();
  try {
    writeMedia(path, FULL_BYTES);
    const results: Comparison[] = [];
    for (const parts of [1, PARTS]) results.push(await compare(path, store.url, parts));
    return [...results, ...benchMemory(join(folder, 'sparse.mp4'), store.url)];
  } finally {
    store.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function compare(path: string, url: string, parts: number): Promise<Comparison> {
  return comparePair({
    name: `upload in ${inWords(parts)}`,
    reference: 'curl -T',
    budget: BUDGET,
    runs: RUNS,
    ours: () => putToStore(path, url, parts),
    theirs: () => curl(path, `${url}/1`),
  });
}

/** The peak of a process that puts 4 GiB, in one piece and in parts. */
function benchMemory(path: string, url: string): readonly Comparison[] {
  writeMedia(path, SPARSE_BYTES, true);
  return [1, PARTS].map((parts) =>
    compareWithBound(
      {
        name: `upload of 4 GiB in ${inWords(parts)}`,
        reference: `${MEMORY_BUDGET_MB} MB`,
        unit: 'MB',
        budget: 1,
        note: 'peak memory',
      },
      [peakMb(path, url, parts)],
      MEMORY_BUDGET_MB,
    ),
  );
}

function peakMb(path: string, url: string, parts: number): number {
  const run = ['scripts/run.js', 'bench/upload-memory.ts', path, url, String(parts)];
  const { status, stdout } = spawnSync(process.execPath, run, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) throw new Error(`the upload ended with ${status ?? 'a signal'}`);
  return Number(stdout) / 1e6;
}

const inWords = (parts: number) => (parts === 1 ? 'one piece' : `${parts} parts`);

function curl(path: string, url: string): void {
  const { status } = spawnSync('curl', ['-sS', '-f', '-T', path, url, '-o', '/dev/null'], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`curl ended with ${status ?? 'a signal'}`);
}

/** A file that begins as a video does; the rest is noise, or a hole where it is sparse. */
function writeMedia(path: string, size: number, sparse = false): void {
  const file = openSync(path, 'w');
  try {
    const piece = Buffer.from(Array.from({ length: 2 ** 20 }, (_, index) => (index * 2_654_435_761) >>> 24));
    if (!sparse)
      for (let at = 0; at < size; at += piece.byteLength) writeSync(file, piece, 0, piece.byteLength, at);
    ftruncateSync(file, size);
    writeSync(file, Buffer.from('\0\0\0\x18ftypisom'), 0, 12, 0);
  } finally {
    closeSync(file);
  }
}

async function startStore(): Promise<{ readonly url: string; readonly stop: () => void }> {
  const server = spawn(process.execPath, ['scripts/run.js', 'bench/upload-server.ts'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = (await once(server.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${String(port).trim()}`, stop: () => server.stdin.end() };
}
