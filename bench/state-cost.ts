import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresServer } from '../test/helpers/postgres.ts';
import { campaignFile } from './campaigns.ts';
import { heraldScript } from './herald.ts';
import { writeLedger } from './ledger-lines.ts';
import { pacedFiles } from './pace.ts';
import { compareMeasured, type Comparison } from './pairs.ts';
import { measure } from './process.ts';
import { startService } from './service.ts';
import { IN_POSTGRES, newState, withPostgres } from './state-server.ts';
import { aliasOf, workspaceText, writeFiles } from './workspace.ts';

const RUNS = 5;
const APPLY_ACCOUNTS = 40;
const APPLY_BUDGET = 1.15;
const PLANNED = 10_000;
const PER_ACCOUNT = 100;
const PLAN_BUDGET = 1.25;
/** As the apply of all resources leaves them: an intent and an outcome of each. */
const LINES = 2 * PLANNED;

/** What state in PostgreSQL on this machine costs, against state in files. */
export async function benchState(): Promise<readonly Comparison[]> {
  heraldScript();
  return withPostgres(async (server) => [await applies(server), await plans(server)]);
}

async function applies(server: PostgresServer): Promise<Comparison> {
  const ours: number[] = [];
  const theirs: number[] = [];
  // Side by side: both wait for the rates of a service of their own.
  for (let run = 0; run < RUNS; run += 1) {
    const [inDatabase, inFiles] = await Promise.all([apply(server), apply(null)]);
    ours.push(inDatabase);
    theirs.push(inFiles);
  }
  return compareMeasured(
    {
      name: `apply over ${APPLY_ACCOUNTS} accounts, state in PostgreSQL`,
      reference: 'state in files',
      unit: 's',
      budget: APPLY_BUDGET,
      note: '',
    },
    ours,
    theirs,
  );
}

/** Seconds of an apply. */
async function apply(server: PostgresServer | null): Promise<number> {
  const service = await startService(APPLY_ACCOUNTS);
  const directory = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  try {
    const files = pacedFiles('apply', APPLY_ACCOUNTS);
    const state = server === null ? '' : IN_POSTGRES;
    writeFiles(directory, { ...files, 'herald.yaml': `${files['herald.yaml'] ?? ''}${state}` });
    const env = server === null ? {} : (await newState(server, heraldScript(), directory)).env;
    const args = [heraldScript(), '-C', directory, 'apply', '--yes', '--allow', 'large'];
    const { wallMs } = await measure(args, { env: { ...service.env, ...env } });
    return wallMs / 1000;
  } finally {
    service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Plans through the library, with a service without limits and a client that does not wait for any. */
async function plans(server: PostgresServer): Promise<Comparison> {
  const accounts = PLANNED / PER_ACCOUNT;
  const service = await startService(accounts, PER_ACCOUNT, 'usual', 'none');
  const [inFiles, inDatabase] = [
    mkdtempSync(join(tmpdir(), 'herald-bench-')),
    mkdtempSync(join(tmpdir(), 'herald-bench-')),
  ];
  try {
    const settings = workspaceText(accounts);
    const live = Object.fromEntries(
      Array.from({ length: accounts }, (_, account) => [
        `live/${aliasOf(account)}.yaml`,
        campaignFile(aliasOf(account), account * PER_ACCOUNT, PER_ACCOUNT),
      ]),
    );
    writeFiles(inFiles, { ...live, 'herald.yaml': settings });
    writeFiles(inDatabase, { ...live, 'herald.yaml': settings + IN_POSTGRES });
    const ledger = join(inFiles, '.herald/ledger.ndjson');
    writeLedger(ledger, LINES, 'agency');
    const state = await newState(server, heraldScript(), inDatabase);
    await state.addLines(readFileSync(ledger, 'utf8').trimEnd().split('\n'));
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      ours.push(planMs(inDatabase, { ...service.env, ...state.env }));
      theirs.push(planMs(inFiles, service.env));
    }
    return compareMeasured(
      {
        name: `plan of ${PLANNED} without rates, state in PostgreSQL`,
        reference: 'state in files',
        unit: 'ms',
        budget: PLAN_BUDGET,
        note: `${LINES} lines in the ledger`,
      },
      ours,
      theirs,
    );
  } finally {
    service.stop();
    for (const directory of [inFiles, inDatabase]) rmSync(directory, { recursive: true, force: true });
  }
}

function planMs(directory: string, env: Readonly<Record<string, string>>): number {
  const args = ['scripts/run.js', 'bench/plan-run.ts', directory];
  const { status, stdout } = spawnSync(process.execPath, args, {
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`the plan ended with ${status ?? 'a signal'}`);
  return Number(stdout);
}
