import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresServer } from '../test/helpers/postgres.ts';
import { cpuMsOf, sendEvents } from './event-load.ts';
import { startBare, startHerald, type Receiver } from './event-receivers.ts';
import { eventRows, type EventRun, type EventWindow } from './event-rows.ts';
import { heraldScript } from './herald.ts';
import type { Comparison } from './pairs.ts';
import { measure } from './process.ts';
import { IN_POSTGRES, newState, withPostgres } from './state-server.ts';
import { workspaceText, writeFiles } from './workspace.ts';

/** Events a second. */
const PER_SECOND = 200;

/** Windows of each in turn. */
const SECONDS = 5;
const WINDOWS = 4;

/** 200 events a second to the receiver, with its state in SQLite and in PostgreSQL. */
export async function benchEvents(): Promise<readonly Comparison[]> {
  heraldScript();
  return withPostgres(
    async (server) => [...(await against('SQLite', null)), ...(await against('PostgreSQL', server))],
    true,
  );
}

async function against(where: string, server: PostgresServer | null): Promise<readonly Comparison[]> {
  const directory = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  writeFiles(directory, { 'herald.yaml': workspaceText(1) + (server === null ? '' : IN_POSTGRES) });
  const env: Readonly<Record<string, string>> =
    server === null ? {} : (await newState(server, heraldScript(), directory)).env;
  const receivers: Receiver[] = [];
  try {
    const herald = await startHerald(directory, env['HERALD_STATE_URL'] ?? null);
    receivers.push(herald);
    const bare = await startBare(directory, server === null ? null : await server.newDatabase());
    receivers.push(bare);
    const run = await sendInTurn(herald, bare);
    return eventRows(where, { ...run, stored: await countStored(directory, env) });
  } finally {
    for (const receiver of receivers) await receiver.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** One window of each in turn, after one of each to warm up. */
async function sendInTurn(herald: Receiver, bare: Receiver): Promise<Omit<EventRun, 'stored'>> {
  const [ours, theirs]: [EventWindow[], EventWindow[]] = [[], []];
  for (let index = 0; index <= WINDOWS; index += 1) {
    const from = index * SECONDS * PER_SECOND;
    ours.push(await sendWindow(herald, from));
    theirs.push(await sendWindow(bare, from));
  }
  return { ours: ours.slice(1), theirs: theirs.slice(1), sent: (WINDOWS + 1) * SECONDS * PER_SECOND };
}

async function sendWindow({ url, pid }: Receiver, from: number): Promise<EventWindow> {
  const before = cpuMsOf(pid);
  const load = await sendEvents(url, { perSecond: PER_SECOND, seconds: SECONDS, from });
  return { ...load, cpuMs: cpuMsOf(pid) - before };
}

async function countStored(directory: string, env: Readonly<Record<string, string>>): Promise<number> {
  const list = ['events', 'list', '--source', 'webhook', '--format', 'ndjson'];
  const { stdout } = await measure([heraldScript(), '-C', directory, ...list], { env });
  return stdout.split('\n').filter((line) => line !== '').length;
}
