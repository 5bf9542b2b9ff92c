import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { sharedCampaign } from './campaigns.ts';
import { heraldScript } from './herald.ts';
import { measure } from './process.ts';
import { startService } from './service.ts';
import { accountIdOf, aliasOf, workspaceText, writeFiles } from './workspace.ts';
import { systemClock } from '../src/host/clock.ts';
import { Postgres } from '../src/state/postgres.ts';
import { type COLUMNS, OWN_WORKSPACE } from '../src/state/shapes.ts';
import type { Database } from '../src/state/sql.ts';
import { Sqlite } from '../src/state/sqlite.ts';
import { State, type StateLocation, type StateOptions } from '../src/state/state.ts';
import type { PostgresServer } from '../test/helpers/postgres.ts';
import { begun, CREATE } from '../test/helpers/state-requests.ts';
import { against } from './limits.ts';
import { comparePair, type Comparison } from './pairs.ts';
import { IN_POSTGRES, withPostgres } from './state-server.ts';

const PAIRS = 200;
const LINE_BYTES = 500;
/** Each is two transactions that are on the disk, against two writes that are. */
const SQLITE_BUDGET = 6;
/** Nine statements, each planned again because a pooler keeps none of them, against two. */
const POSTGRES_BUDGET = 15;

const REQUESTS = 1_000_000;
const OBJECTS = 166_667;
const ACCOUNTS = 40;
const FIRST_ACCOUNT = Number(accountIdOf(0));
/** A plan of one campaign. */
const ONE_ACCOUNT = { cpuMs: 1_500, mb: 200 };
const ALL_ACCOUNTS = { cpuMs: 5_000, mb: 350 };

/** What the record of a request costs, and what a plan reads of a state next to a million of them. */
export async function benchRecords(): Promise<readonly Comparison[]> {
  const directory = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  try {
    return await withPostgres(async (server) => {
      const sqlite = { kind: 'sqlite', directory } as const;
      const postgres = await newLocation(server);
      return [
        await records('SQLite', sqlite, SQLITE_BUDGET, openBareFile()),
        await records('PostgreSQL', postgres, POSTGRES_BUDGET, await openBareTable(postgres.url)),
        ...(await reads('SQLite', sqlite, await Sqlite.open(directory))),
        ...(await reads('PostgreSQL', postgres, new Postgres({ ...postgres, clock: systemClock }))),
      ];
    }, true);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function newLocation(server: PostgresServer) {
  const url = await server.newDatabase();
  const location = { kind: 'postgres', url, workspace: 'bench', leaseSec: 60, retrySec: 5 } as const;
  await State.setUp({ location, clock: systemClock });
  return location;
}

function benchRun(location: StateLocation): StateOptions {
  const service = () => 'live';
  return { location, clock: systemClock, run: randomUUID(), who: null, holder: 'bench', service };
}

/** Where the same number of lines is written with nothing around it. */
interface Bare {
  readonly name: string;
  /** Resolves when the line is on the disk. */
  readonly write: (line: string) => unknown;
  readonly close: () => unknown;
}

function openBareFile(): Bare {
  const folder = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  const file = openSync(join(folder, 'bare'), 'a');
  return {
    name: 'two writes with fsync each',
    write: (line) => {
      writeSync(file, line);
      fsyncSync(file);
    },
    close: () => {
      closeSync(file);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openBareTable(url: string): Promise<Bare> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('CREATE TABLE bare (line TEXT)');
  return {
    name: 'two inserts on the same server',
    write: (line) => client.query('INSERT INTO bare VALUES ($1)', [line]),
    close: () => client.end(),
  };
}

async function records(
  name: string,
  location: StateLocation,
  budget: number,
  bare: Bare,
): Promise<Comparison> {
  const state = await State.take(benchRun(location), 0);
  const line = 'x'.repeat(LINE_BYTES);
  try {
    const compared = await comparePair({
      name: `begin and end of ${PAIRS} requests, ${name}`,
      reference: bare.name,
      budget,
      ours: async () => {
        for (let index = 0; index < PAIRS; index += 1) {
          const { entry } = await begun(state, CREATE);
          await state.end(entry, { outcome: 'absent' });
        }
      },
      theirs: async () => {
        for (let index = 0; index < 2 * PAIRS; index += 1) await bare.write(line);
      },
    });
    return { ...compared, note: `${(compared.ours / PAIRS).toFixed(2)} ms for a begin and an end` };
  } finally {
    await bare.close();
    await state.close();
  }
}

/** What a plan reads of one account and of all, and a whole plan of one campaign, each in a process of its own. */
async function reads(
  name: string,
  location: StateLocation,
  database: Database,
): Promise<readonly Comparison[]> {
  await fill(database, location.kind === 'postgres' ? location.workspace : OWN_WORKSPACE);
  await database.close();
  const read = [1, ACCOUNTS].flatMap((accounts) => {
    const { cpuMs, peakMb, objects } = readInProcess(location, accounts);
    const what = `known and open of ${accounts} accounts next to ${REQUESTS} requests, ${name}`;
    const limits = accounts === 1 ? ONE_ACCOUNT : ALL_ACCOUNTS;
    const about = { runs: 1, note: `${objects} objects` };
    return [
      against(what, 'ms CPU', cpuMs, limits.cpuMs, about),
      against(what, 'MB', peakMb, limits.mb, about),
    ];
  });
  return [...read, ...(await plan(name, location))];
}

/** `herald plan` of one campaign, as its users run it. */
async function plan(name: string, location: StateLocation): Promise<readonly Comparison[]> {
  const service = await startService(1);
  const directory =
    location.kind === 'sqlite' ? location.directory : mkdtempSync(join(tmpdir(), 'herald-bench-'));
  try {
    const isShared = location.kind === 'postgres';
    writeFiles(directory, {
      'herald.yaml': `${workspaceText(1)}${isShared ? IN_POSTGRES : ''}`,
      'live/all.yaml': sharedCampaign(aliasOf(0)),
    });
    const env = { ...service.env, ...(isShared ? { HERALD_STATE_URL: location.url } : {}) };
    const { cpuMs, peakBytes, stdout } = await measure([heraldScript(), '-C', directory, 'plan'], { env });
    const [note = ''] = stdout.split('\n').filter((line) => line.includes('to create'));
    const what = `plan of one campaign next to ${REQUESTS} requests, ${name}`;
    return [
      against(what, 'ms CPU', cpuMs, ONE_ACCOUNT.cpuMs, { runs: 1, note }),
      against(what, 'MB', peakBytes / 2 ** 20, ONE_ACCOUNT.mb, { runs: 1, note }),
    ];
  } finally {
    service.stop();
    if (location.kind === 'postgres') rmSync(directory, { recursive: true, force: true });
  }
}

const PIECE = 100_000;

type Cells<Table extends keyof typeof COLUMNS> = Readonly<Record<keyof (typeof COLUMNS)[Table], string>>;

const NUMBER = 'CAST(i AS TEXT)';
const ACCOUNT = `CAST(${FIRST_ACCOUNT} + i % ${ACCOUNTS} AS TEXT)`;

/** What each column of row `i` has. A column that the table does not have, or has more, is an error of the compiler. */
const REQUEST_CELLS: Cells<'request'> = {
  seq: '1000000 + i',
  entry: `'bench-' || ${NUMBER}`,
  run: "'run'",
  who: 'NULL',
  command: "'apply'",
  operation: "'campaigns.create'",
  account: "'alias'",
  account_id: ACCOUNT,
  kind: "'campaign'",
  name: `'Name ' || ${NUMBER}`,
  live_id: 'NULL',
  target: 'NULL',
  purpose: 'NULL',
  content: "'digest'",
  asked: `'{"wanted":"a campaign of the usual size"}'`,
  sent_at: 'i',
  unheard_copy: '0',
  outcome: "'done'",
  ended_at: 'i',
  answer: 'NULL',
  because: 'NULL',
};

const OBJECT_CELLS: Cells<'object'> = {
  account_id: ACCOUNT,
  kind: "'campaign'",
  live_id: NUMBER,
  name: `'Name ' || ${NUMBER}`,
  ours: '1',
  protect: '0',
  declared_digest: "'a digest of 64 characters'",
  hidden_digest: 'NULL',
  shown: `'{"text":"what was read back"}'`,
  status_set: "'archived'",
  status_by: "'apply'",
  status_why: 'NULL',
  status_seq: 'i',
  replaced_by: 'NULL',
  replaced_for: 'NULL',
  recalled: '0',
  first_seq: 'i',
};

/** Both databases count in the same words. A statement may take half a minute. */
async function fill(database: Database, workspace: string): Promise<void> {
  const schema = database instanceof Postgres ? 'herald.' : '';
  const insert = async (table: string, rows: number, cells: Readonly<Record<string, string>>) => {
    const columns = `workspace, service, ${Object.keys(cells).join(', ')}`;
    const values = `'${workspace}', 'live', ${Object.values(cells).join(', ')}`;
    for (let from = 1; from <= rows; from += PIECE) {
      const last = Math.min(rows, from + PIECE - 1);
      const numbers = `WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${last})`;
      const statement = `INSERT INTO ${schema}${table} (${columns}) ${numbers} SELECT ${values} FROM n`;
      await database.transaction((query) => query(statement));
    }
  };
  await insert('request', REQUESTS, REQUEST_CELLS);
  await insert('object', OBJECTS, OBJECT_CELLS);
}

function readInProcess(location: StateLocation, accounts: number) {
  const args = ['scripts/run.js', 'bench/state-read.ts', JSON.stringify({ location, accounts })];
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`reading ended with ${status ?? 'a signal'}`);
  return JSON.parse(stdout) as { readonly cpuMs: number; readonly peakMb: number; readonly objects: number };
}
