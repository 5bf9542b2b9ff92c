import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresServer } from '../test/helpers/postgres.ts';
import { boundSec } from './bound.ts';
import { heraldScript } from './herald.ts';
import { pacedFiles } from './pace.ts';
import { compareMeasured, compareWithBound, type Comparison } from './pairs.ts';
import { measure } from './process.ts';
import { startService } from './service.ts';
import { IN_POSTGRES, newState, withPostgres } from './state-server.ts';
import { accountIdOf, aliasOf, workspaceText, writeFiles } from './workspace.ts';

/** The most begin first: see `STOP_AFTER_MS`. */
const PROCESSES = [8, 4, 2] as const;
const ACCOUNTS = 40;
const RUNS = 3;
/** Side by side, each with a service and a database of its own. */
const APART_MS = 3_000;
const BUDGET = 1.1;
/** A stop begins so long after the plans, in a second in which no other processes start: a start takes all cores. */
const STOP_AFTER_MS = 8_000;
const STOP_WITHIN_SEC = 2;

/**
 * Plans of several processes with one key and one database, against the time in which the published rates let all
 * their requests through; and a stop by hand in the middle of the most plans.
 */
export async function benchSharedPace(): Promise<readonly Comparison[]> {
  heraldScript();
  return withPostgres(async (server) => {
    const measured = new Map<number, Together[]>(PROCESSES.map((count) => [count, []]));
    for (let run = 0; run < RUNS; run += 1)
      await Promise.all(
        PROCESSES.map(async (count, index) => {
          await sleep(index * APART_MS);
          measured.get(count)?.push(await plansTogether(server, count));
        }),
      );
    return [...measured].toReversed().flatMap(([count, runs]) => comparisons(count, runs));
  });
}

function comparisons(count: number, runs: readonly Together[]): readonly Comparison[] {
  const name = `${count} processes plan ${ACCOUNTS} accounts together`;
  const throttled = runs.reduce((sum, run) => sum + run.throttled, 0);
  const alone = runs.reduce((sum, run) => sum + run.alone, 0);
  if (throttled > 0) throw new Error(`${name}: answered 429 ${throttled} times, ${alone} times alone`);
  const note = `${runs[0]?.requests ?? 0} requests, ${throttled} answered 429`;
  const pace = compareMeasured(
    { name, reference: 'the published rates', unit: 's', budget: BUDGET, note },
    runs.map(({ wallSec }) => wallSec),
    runs.map((run) => run.boundSec),
  );
  const within = (what: string, secs: readonly number[]) =>
    compareWithBound(
      {
        name: `campaigns pause next to ${count} plans: its first ${what}`,
        reference: `${STOP_WITHIN_SEC} s`,
        unit: 's',
        budget: 1,
        note: 'from the start of its process',
      },
      secs,
      STOP_WITHIN_SEC,
    );
  return [
    pace,
    within(
      'grant',
      runs.map(({ stop }) => stop.grantSec),
    ),
    within(
      'answer',
      runs.map(({ stop }) => stop.answerSec),
    ),
  ];
}

interface Together {
  readonly wallSec: number;
  readonly boundSec: number;
  readonly requests: number;
  readonly throttled: number;
  readonly stop: Stop;
  /** Processes that could not ask the others in time. */
  readonly alone: number;
}

/** Of a stop, from the start of its process. */
interface Stop {
  /** Until its first request arrived: it leaves with its grant. */
  readonly grantSec: number;
  readonly answerSec: number;
}

/** The last account has no declared campaign: only the stop is about it. */
async function plansTogether(server: PostgresServer, count: number): Promise<Together> {
  const service = await startService(ACCOUNTS + 1, 1);
  const directory = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  try {
    const files = pacedFiles('plan', ACCOUNTS);
    const settings = workspaceText(ACCOUNTS + 1, { rate_share: 1 }) + IN_POSTGRES;
    writeFiles(directory, { ...files, 'herald.yaml': settings });
    const { env } = await newState(server, heraldScript(), directory);
    const both = { ...service.env, ...env };
    const startedMs = performance.now();
    const plan = () => measure([heraldScript(), '-C', directory, 'plan', '--allow', 'large'], { env: both });
    const plans = Promise.all(Array.from({ length: count }, plan));
    const stopping = stopAfter(STOP_AFTER_MS, directory, both);
    const alone = (await plans).filter(({ stderr }) => stderr.includes('rates-not-shared')).length;
    const wallSec = (performance.now() - startedMs) / 1000;
    const { startedMs: stopMs, answerSec } = await stopping;
    const { requests, throttled } = await service.oracle();
    const first = requests.find(({ path }) => path.includes(`/${accountIdOf(ACCOUNTS)}/`));
    const grantSec = (Date.parse(first?.at ?? '') - stopMs) / 1000;
    const reads = requests.filter(({ method }) => method === 'GET');
    return {
      wallSec,
      alone,
      boundSec: boundSec(reads),
      requests: requests.length,
      throttled,
      stop: { grantSec, answerSec },
    };
  } finally {
    service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Stops an object by hand after so long. Its start is a time of day, as the service writes down requests. */
async function stopAfter(
  ms: number,
  directory: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly startedMs: number; readonly answerSec: number }> {
  await sleep(ms);
  const object = `${aliasOf(ACCOUNTS)}/campaign/Campaign ${String(ACCOUNTS).padStart(6, '0')}`;
  const args = [heraldScript(), '-C', directory, '--verbose', 'campaigns', 'pause', object, '--yes'];
  const startedMs = Date.now();
  const stop = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const answeredMs = await new Promise<number>((resolve) => {
    let said = '';
    stop.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (/(?:GET|PATCH) .* -> 2/.test(said)) resolve(Date.now());
    });
    stop.on('close', () => resolve(Number.POSITIVE_INFINITY));
  });
  if (stop.exitCode === null) await once(stop, 'close');
  if (stop.exitCode !== 0) throw new Error(`campaigns pause ended with ${stop.exitCode}`);
  return { startedMs, answerSec: (answeredMs - startedMs) / 1000 };
}
