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
/** A short plan ends while its processes still find their rates, and a long one shows what they come to. */
const SIZES = [
  { accounts: 40, runs: 3 },
  { accounts: 200, runs: 1 },
];
/** They find their rates by 429s, and give back slowly what they gave up. */
const TIME_BUDGET = 1.25;
const THROTTLED_BUDGET = 0.05;

/**
 * Plans of several processes with one key that know nothing of each other, against the time in which the published rates let
 * the requests through that were carried out. Who shared the rates perfectly would send no others.
 */
export async function benchSharedPace(): Promise<readonly Comparison[]> {
  heraldScript();
  const compared = [];
  for (const { accounts, runs } of SIZES) {
    const measured = [];
    for (let run = 0; run < runs; run += 1) measured.push(await plansTogether(accounts));
    compared.push(...compareRuns(accounts, measured));
  }
  return compared;
}

function compareRuns(
  accounts: number,
  runs: readonly Awaited<ReturnType<typeof plansTogether>>[],
): readonly Comparison[] {
  const name = `${PROCESSES} plans over ${accounts} accounts with one key`;
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

async function plansTogether(accounts: number) {
  const service = await startService(accounts, 1);
  const directory = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  try {
    writeFiles(directory, pacedFiles('plan', accounts));
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
