import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresServer } from '../test/helpers/postgres.ts';
import { cpuMsOf, percentile, residentBytesOf, sendEvents } from './event-load.ts';
import { heraldScript } from './herald.ts';
import { compareMeasured, compareWithBound, median, type Comparison } from './pairs.ts';
import { measure } from './process.ts';
import { IN_POSTGRES, newState, withPostgres } from './state-server.ts';
import { workspaceText, writeFiles } from './workspace.ts';

const PER_SECOND = 200;
const P99_MS_MAX = 50;
/** Against a receiver that does nothing but store. */
const CPU_BUDGET = 2;
const P99_BUDGET = 3;
/** The memory at the end against that after the first window, of a long run: a new process still grows. */
const MEMORY_BUDGET = 1.1;

/** Windows of each side, in turn. `--long` sends for ten minutes to each. */
const IS_LONG = process.argv.includes('--long');
const WINDOWS = IS_LONG ? { count: 20, seconds: 30 } : { count: 5, seconds: 6 };

/** 200 events a second to the receiver, with its state in files and in PostgreSQL. */
export async function benchEvents(): Promise<readonly Comparison[]> {
  heraldScript();
  return withPostgres(async (server) => [
    ...(await against('files', null)),
    ...(await against('PostgreSQL', server)),
  ]);
}

/** A receiver in another process. */
interface Receiver {
  readonly url: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

interface Window {
  readonly p50: number;
  readonly p99: number;
  readonly cpuMs: number;
}

async function against(where: string, server: PostgresServer | null): Promise<readonly Comparison[]> {
  const directory = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  writeFiles(directory, { 'herald.yaml': workspaceText(1) + (server === null ? '' : IN_POSTGRES) });
  const state = server === null ? null : await newState(server, heraldScript(), directory);
  const env = state?.env ?? {};
  const herald = await startHerald(directory, env);
  const bare = await startBare(
    server === null ? ['files', directory] : ['postgres', await server.newDatabase()],
  );
  try {
    const [ours, theirs]: [Window[], Window[]] = [[], []];
    let sent = 0;
    const round = async () => {
      const mine = await window(herald, sent);
      const other = await window(bare, sent);
      sent += WINDOWS.seconds * PER_SECOND;
      return [mine, other] as const;
    };
    await round();
    const memoryBytes = residentBytesOf(herald.pid);
    for (let count = 0; count < WINDOWS.count; count += 1) {
      const [mine, other] = await round();
      ours.push(mine);
      theirs.push(other);
    }
    const stored = await countStored(directory, env);
    if (stored !== sent) throw new Error(`${sent} events were answered with 200, and ${stored} are stored`);
    const memory = [residentBytesOf(herald.pid) / 1e6, memoryBytes / 1e6] as const;
    return comparisons(where, { ours, theirs, memory, stored });
  } finally {
    await herald.stop();
    await bare.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Measured {
  readonly ours: readonly Window[];
  readonly theirs: readonly Window[];
  /** At the end, and after the first window, in MB. */
  readonly memory: readonly [number, number];
  readonly stored: number;
}

function comparisons(where: string, { ours, theirs, memory, stored }: Measured): readonly Comparison[] {
  const name = `${PER_SECOND} events a second, state in ${where}`;
  const reference = 'a receiver that only stores';
  const note = `p50 ${median(ours.map(({ p50 }) => p50)).toFixed(1)} ms; ${stored} stored, 0 lost`;
  const [p99s, bareP99s] = [ours.map(({ p99 }) => p99), theirs.map(({ p99 }) => p99)];
  const [atEnd, afterFirst] = memory;
  const [p99, cpu] = [`${name}: p99`, `${name}: CPU of a window`];
  const budget = IS_LONG ? MEMORY_BUDGET : null;
  return [
    compareMeasured({ name: p99, reference, unit: 'ms', budget: P99_BUDGET, note }, p99s, bareP99s),
    compareWithBound(
      { name: p99, reference: `${P99_MS_MAX} ms`, unit: 'ms', budget: 1, note: '' },
      p99s,
      P99_MS_MAX,
    ),
    compareMeasured(
      { name: cpu, reference, unit: 'ms CPU', budget: CPU_BUDGET, note: '' },
      ours.map(({ cpuMs }) => cpuMs),
      theirs.map(({ cpuMs }) => cpuMs),
    ),
    compareWithBound(
      {
        name: `${name}: memory at the end`,
        reference: 'after the first window',
        unit: 'MB',
        budget,
        note: '',
      },
      [atEnd],
      afterFirst,
    ),
  ];
}

async function window({ url, pid }: Receiver, from: number): Promise<Window> {
  const before = cpuMsOf(pid);
  const { latencies, refused } = await sendEvents(url, {
    perSecond: PER_SECOND,
    seconds: WINDOWS.seconds,
    from,
  });
  if (refused > 0) throw new Error(`${refused} events were not answered with 200`);
  return { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99), cpuMs: cpuMsOf(pid) - before };
}

async function startHerald(directory: string, env: Readonly<Record<string, string>>): Promise<Receiver> {
  const flags = ['--port', '0', '--health-port', '0', '--reconcile-every', '0', '--quiet'];
  return started([heraldScript(), '-C', directory, 'events', 'listen', ...flags], env);
}

async function startBare(args: readonly string[]): Promise<Receiver> {
  return started(['scripts/run.js', 'bench/events-bare.ts', ...args], {});
}

async function started(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Receiver> {
  const child: ChildProcess = spawn(process.execPath, [...args], {
    env: { ...process.env, HERALD_API_KEY: 'sim-key', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (child.stdout === null || child.pid === undefined) throw new Error('the receiver has no pipes');
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  const [url = ''] = /http:\S+/.exec(String(said)) ?? [];
  // A program of the bench runs below another process.
  const [, pid = String(child.pid)] = /pid (\d+)/.exec(String(said)) ?? [];
  return {
    url,
    pid: Number(pid),
    stop: async () => {
      const ended = once(child, 'close');
      child.stdin?.end();
      if (Number(pid) === child.pid) child.kill('SIGTERM');
      await ended;
    },
  };
}

async function countStored(directory: string, env: Readonly<Record<string, string>>): Promise<number> {
  const { stdout } = await measure(
    [heraldScript(), '-C', directory, 'events', 'stats', '--source', 'webhook', '--format', 'ndjson'],
    { env },
  );
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .reduce((sum, line) => sum + Number((JSON.parse(line) as { readonly count: number }).count), 0);
}
