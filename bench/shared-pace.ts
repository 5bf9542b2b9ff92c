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
const TIME_BUDGET = 1.25;
const THROTTLED_BUDGET = 0.05;

/**
 * Plans of several processes with one key that know nothing of each other, against the time in which the published rates let
 * the requests through that were carried out. Who shared the rates perfectly would send no others.
 */
export async function benchSharedPace(): Promise<readonly Comparison[]> {
  heraldScript();
  const runs = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await plansTogether());
  const name = `${PROCESSES} plans over ${ACCOUNTS} accounts with one key`;
  return [
    compareMeasured(
      {
        name,
        reference: 'the published rates',
        unit: 's',
        budget: TIME_BUDGET,
        note: `${runs[0]?.carriedOut ?? 0} requests carried out`,
      },
      runs.map(({ wallSec }) => wallSec),
      runs.map((run) => run.boundSec),
    ),
    compareMeasured(
      {
        name: `${name}: answered 429`,
        reference: 'all requests',
        unit: 'requests',
        budget: THROTTLED_BUDGET,
        note: runs.map(({ throttled, sent }) => `${throttled} of ${sent}`).join(', '),
      },
      runs.map(({ throttled }) => throttled),
      runs.map(({ sent }) => sent),
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
    const carriedOut = requests.filter(({ status }) => status !== 429);
    return {
      wallSec,
      boundSec: boundSec(carriedOut),
      carriedOut: carriedOut.length,
      sent: requests.length,
      throttled,
    };
  } finally {
    service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
