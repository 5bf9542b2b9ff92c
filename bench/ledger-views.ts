import { appendFileSync, createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { systemClock } from '../src/host/clock.ts';
import { postgresState } from '../src/postgres/state.ts';
import { startPostgres, type PostgresServer } from '../test/helpers/postgres.ts';
import { campaignFile } from './campaigns.ts';
import { heraldScript } from './herald.ts';
import { writeLedger } from './ledger-lines.ts';
import { compareMeasured, type Comparison } from './pairs.ts';
import { measure, type Usage } from './process.ts';
import { startService } from './service.ts';
import { aliasOf, workspaceText, writeFiles } from './workspace.ts';

const PAIRS = 5;
const CAMPAIGNS = 1_000;
const PER_ACCOUNT = 100;
const LONG = 1_000_000;
/** Of a long history against a short one. */
const BUDGET = 1.5;
const WORKSPACE = 'bench';
const BATCH_LINES = 5_000;

type Env = Readonly<Record<string, string>>;

/** A plan of a workspace, as often as it is asked for. */
type Plan = () => Promise<Usage>;

/** What a plan of 1,000 campaigns costs with 1,000,000 lines of history, against 1,000 lines: for each store. */
export async function benchViews(): Promise<readonly Comparison[]> {
  const folder = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  const service = await startService(CAMPAIGNS / PER_ACCOUNT, PER_ACCOUNT);
  const server = await startPostgres();
  try {
    const env = {
      ...service.env,
      XDG_CACHE_HOME: join(folder, 'cache'),
      XDG_CONFIG_HOME: join(folder, 'config'),
    };
    const [short, long] = [join(folder, 'short'), join(folder, 'long')];
    for (const directory of [short, long]) writeFiles(directory, campaigns());
    await herald(short, env, 'apply', '--yes', '--allow', 'adopt', '--allow', 'large');
    const adopted = readFileSync(ledgerOf(short), 'utf8');
    writeLedger(ledgerOf(long), LONG - CAMPAIGNS, 'agency');
    appendFileSync(ledgerOf(long), adopted);
    const inFiles = await compared('files', planOf(long, env), planOf(short, env));
    const [shortUrl, longUrl] = [await databaseWith(server, short), await databaseWith(server, long)];
    for (const directory of [short, long]) {
      writeFiles(directory, { 'herald.yaml': yaml(STATE) });
      // The database has its lines. A plan refuses a ledger file that was not moved.
      rmSync(ledgerOf(directory));
    }
    const inDatabase = await compared(
      'PostgreSQL',
      planOf(long, { ...env, HERALD_STATE_URL: longUrl }),
      planOf(short, { ...env, HERALD_STATE_URL: shortUrl }),
    );
    return [...inFiles, ...inDatabase];
  } finally {
    await server.stop();
    service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first plan keeps the view. It is not counted. */
async function compared(store: string, long: Plan, short: Plan): Promise<readonly Comparison[]> {
  const first = await long();
  await short();
  const ours: Usage[] = [];
  const theirs: Usage[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    ours.push(await long());
    theirs.push(await short());
  }
  const name = `plan of ${CAMPAIGNS} next to ${LONG} lines in ${store}`;
  const what = { name, reference: `next to ${CAMPAIGNS} lines`, budget: BUDGET };
  const cpuOf = (usages: readonly Usage[]) => usages.map(({ cpuMs }) => cpuMs);
  const peakOf = (usages: readonly Usage[]) => usages.map(({ peakBytes }) => peakBytes / 1e6);
  const note = `the first plan: ${(first.cpuMs / 1000).toFixed(1)} s, ${(first.peakBytes / 1e6).toFixed(0)} MB`;
  return [
    compareMeasured({ ...what, unit: 'ms CPU', note }, cpuOf(ours), cpuOf(theirs)),
    compareMeasured({ ...what, unit: 'MB', note: 'peak memory' }, peakOf(ours), peakOf(theirs)),
  ];
}

function planOf(directory: string, env: Env): Plan {
  return async () => herald(directory, env, 'plan');
}

async function herald(directory: string, env: Env, ...words: readonly string[]): Promise<Usage> {
  return measure([heraldScript(), '-C', directory, ...words], { env });
}

const STATE = `state: { postgres: "\${HERALD_STATE_URL}", workspace: ${WORKSPACE} }\n`;

function yaml(state = ''): string {
  return workspaceText(CAMPAIGNS / PER_ACCOUNT) + state;
}

function campaigns(): Readonly<Record<string, string>> {
  const files: Record<string, string> = { 'herald.yaml': yaml() };
  for (let from = 0; from < CAMPAIGNS; from += PER_ACCOUNT)
    files[`live/${from}.yaml`] = campaignFile(aliasOf(from / PER_ACCOUNT), from, PER_ACCOUNT);
  return files;
}

function ledgerOf(directory: string): string {
  return join(directory, '.herald/ledger.ndjson');
}

/** The address of a database with the ledger of that folder. */
async function databaseWith(server: PostgresServer, directory: string): Promise<string> {
  const url = await server.newDatabase();
  const state = postgresState({
    url,
    workspace: WORKSPACE,
    clock: systemClock,
    holder: 'bench',
    leaseSec: 60,
    retrySec: 5,
  });
  await state.init();
  await state.close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let lines: string[] = [];
  let written = 0;
  const write = async () => {
    await client.query(
      `INSERT INTO herald.ledger_lines (workspace, epoch, position, id, line)
       SELECT w.id, w.epoch, $1::bigint + number, gen_random_uuid(), line
       FROM herald.workspaces w, unnest($2::text[]) WITH ORDINALITY AS t (line, number)`,
      [written, lines],
    );
    written += lines.length;
    lines = [];
  };
  for await (const line of createInterface({ input: createReadStream(ledgerOf(directory)) })) {
    lines.push(line);
    if (lines.length === BATCH_LINES) await write();
  }
  await write();
  await client.query('UPDATE herald.workspaces SET last_position = $1', [written]);
  await client.end();
  return url;
}
