import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boundSec } from './bound.ts';
import { heraldScript } from './herald.ts';
import { pacedFiles } from './pace.ts';
import { compareMeasured, type Comparison } from './pairs.ts';
import { measure } from './process.ts';
import { startService } from './service.ts';
import { writeFiles } from './workspace.ts';

const PROCESSES = 4;
const ACCOUNTS = 40;
const RUNS = 3;
/** They find their rates by 429s, and give back slowly what they gave up. */
const BUDGET = 1.25;

/**
 * Plans of several processes with one key that know nothing of each other, against the time in which the published rates let
 * all their requests through.
 */
export async function benchSharedPace(): Promise<readonly Comparison[]> {
  heraldScript();
  const runs = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await plansTogether());
  const [requests, throttled] = [runs[0]?.requests ?? 0, runs.map((run) => run.throttled).join(', ')];
  return [
    compareMeasured(
      {
        name: `${PROCESSES} plans over ${ACCOUNTS} accounts with one key`,
        reference: 'the published rates',
        unit: 's',
        budget: BUDGET,
        note: `${requests} requests, answered 429: ${throttled}`,
      },
      runs.map(({ wallSec }) => wallSec),
      runs.map((run) => run.boundSec),
    ),
  ];
}

async function plansTogether() {
  const service = await startService(ACCOUNTS, 1);
  const directory = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  try {
    writeFiles(directory, pacedFiles('plan', ACCOUNTS));
    const startedMs = performance.now();
    const plan = () =>
      measure([heraldScript(), '-C', directory, 'plan', '--allow', 'large'], { env: service.env });
    await Promise.all(Array.from({ length: PROCESSES }, plan));
    const wallSec = (performance.now() - startedMs) / 1000;
    const { requests, throttled } = await service.oracle();
    return { wallSec, boundSec: boundSec(requests), requests: requests.length, throttled };
  } finally {
    service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
