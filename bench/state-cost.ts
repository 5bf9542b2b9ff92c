import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresServer } from '../test/helpers/postgres.ts';
import { heraldScript } from './herald.ts';
import { pacedFiles } from './pace.ts';
import { compareMeasured, type Comparison } from './pairs.ts';
import { measure } from './process.ts';
import { startService } from './service.ts';
import { IN_POSTGRES, newState, withPostgres } from './state-server.ts';
import { writeFiles } from './workspace.ts';

const RUNS = 5;
const APPLY_ACCOUNTS = 40;
const APPLY_BUDGET = 1.15;

/** What state in PostgreSQL on this machine costs, against state in files. */
export async function benchState(): Promise<readonly Comparison[]> {
  heraldScript();
  return withPostgres(async (server) => [await applies(server)]);
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
