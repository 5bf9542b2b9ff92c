import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresServer } from '../test/helpers/postgres.ts';
import { cpuMsOf, percentile, residentBytesOf, sendEvents } from './event-load.ts';
import { startBare, startHerald, type Receiver } from './event-receivers.ts';
import { eventRows, type EventRun, type EventWindow } from './event-rows.ts';
import { heraldScript } from './herald.ts';
import type { Comparison } from './pairs.ts';
import { measure } from './process.ts';
import { IN_POSTGRES, newState, withPostgres } from './state-server.ts';
import { workspaceText, writeFiles } from './workspace.ts';

/** Events a second. */
const PER_SECOND = 200;

/** `--long` sends for ten minutes without a pause. */
const IS_LONG = process.argv.includes('--long');
/** In turn with the reference, unless they are long. */
const SHORT = { seconds: 6, windows: 5 };
const LONG = { seconds: 30, windows: 20 };
/** Of the reference, before a long run. */
const REFERENCE_WINDOWS = 4;

/** 200 events a second to the receiver, with its state in SQLite and in PostgreSQL; `--files` or `--postgres` for one. */
export async function benchEvents(): Promise<readonly Comparison[]> {
  heraldScript();
  const both = process.argv.includes('--files') === process.argv.includes('--postgres');
  const inFiles = both || process.argv.includes('--files') ? await against('SQLite', null) : [];
  if (!both && process.argv.includes('--files')) return inFiles;
  return withPostgres(async (server) => [...inFiles, ...(await against('PostgreSQL', server))], true);
}

async function against(where: string, server: PostgresServer | null): Promise<readonly Comparison[]> {
  const directory = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  writeFiles(directory, { 'herald.yaml': workspaceText(1) + (server === null ? '' : IN_POSTGRES) });
  const env: Readonly<Record<string, string>> =
    server === null ? {} : (await newState(server, heraldScript(), directory)).env;
  const bare = await startBare(directory, server === null ? null : await server.newDatabase());
  const herald = await startHerald(directory, env['HERALD_STATE_URL'] ?? null);
  try {
    const run = IS_LONG ? await longRun(where, herald, bare) : await shortRun(where, herald, bare);
    return eventRows(where, { ...run, stored: await countStored(directory, env) }, IS_LONG);
  } finally {
    await herald.stop();
    await bare.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

type Sent = Omit<EventRun, 'stored'>;

/** One window of each in turn, after one of each to warm up. */
async function shortRun(where: string, herald: Receiver, bare: Receiver): Promise<Sent> {
  const { seconds, windows } = SHORT;
  const [ours, theirs]: [EventWindow[], EventWindow[]] = [[], []];
  for (let index = 0; index <= windows; index += 1) {
    const from = index * seconds * PER_SECOND;
    ours.push(...(await sendWindows(`Herald, ${where}`, herald, { seconds, windows: 1, from })));
    theirs.push(...(await sendWindows(`only storing, ${where}`, bare, { seconds, windows: 1, from })));
  }
  const [first] = ours.splice(0, 1);
  theirs.splice(0, 1);
  return { first, ours, theirs, sent: (windows + 1) * seconds * PER_SECOND };
}

/** The reference first, and then ten minutes of 200 events a second. */
async function longRun(where: string, herald: Receiver, bare: Receiver): Promise<Sent> {
  const { seconds, windows } = LONG;
  const theirs = await sendWindows(`only storing, ${where}`, bare, {
    seconds,
    windows: REFERENCE_WINDOWS,
    from: 0,
  });
  await bare.stop();
  const ours = await sendWindows(`Herald, ${where}`, herald, { seconds, windows, from: 0 });
  return { first: ours[0], ours, theirs, sent: windows * seconds * PER_SECOND };
}

async function sendWindows(
  who: string,
  { url, pid, probed }: Receiver,
  { seconds, windows, from }: { readonly seconds: number; readonly windows: number; readonly from: number },
): Promise<EventWindow[]> {
  const done: EventWindow[] = [];
  await probed();
  let cpuMs = cpuMsOf(pid);
  await sendEvents(url, { perSecond: PER_SECOND, seconds, windows, from }, async ({ latencies, refused }) => {
    const now = cpuMsOf(pid);
    const window = {
      latencies,
      refused,
      cpuMs: now - cpuMs,
      residentBytes: residentBytesOf(pid),
      probed: await probed(),
    };
    cpuMs = now;
    done.push(window);
    if (IS_LONG) console.error(progress(who, done.length * seconds, window));
  });
  return done;
}

function progress(who: string, seconds: number, { latencies, refused, residentBytes }: EventWindow): string {
  const [p50, p99] = [0.5, 0.99].map((part) => percentile(latencies, part).toFixed(1));
  const memory = `${Math.round(residentBytes / 1e6)} MB`;
  return `${new Date().toISOString()} ${who}, ${seconds} s: p50 ${p50} ms, p99 ${p99} ms, ${refused} refused, ${memory}`;
}

async function countStored(directory: string, env: Readonly<Record<string, string>>): Promise<number> {
  const { stdout } = await measure(
    [
      heraldScript(),
      '-C',
      directory,
      'events',
      'list',
      '--source',
      'webhook',
      '--columns',
      'ref',
      '--format',
      'ndjson',
    ],
    { env },
  );
  return stdout.split('\n').filter((line) => line !== '').length;
}
