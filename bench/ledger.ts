import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { campaignFile } from './campaigns.ts';
import { heraldScript } from './herald.ts';
import { writeLedger, type History } from './ledger-lines.ts';
import { benchViews } from './ledger-views.ts';
import { compareWithBound, median, type Comparison } from './pairs.ts';
import { measure, type Usage } from './process.ts';
import { startService, type Service } from './service.ts';
import { aliasOf, workspaceText, writeFiles } from './workspace.ts';

const RUNS = 3;
const LARGE = 1_000_000;
const SWITCHES = 300_000;
/** Of a large ledger: what it may cost a plan of one campaign. */
const CPU_BUDGET_SEC = 5;
const MEMORY_BUDGET_MB = 300;
/** Against a tenth of the lines. */
const GROWTH_BUDGET = 12;

const PLAN = ['plan', '--allow', 'adopt'];
/** For an unknown entry: it reads everything, and ends with 1. */
const CLOSE = ['ledger', 'close', 'none-1', '--because', 'bench', '--yes'];
const CHECK = ['ledger', 'check'];
const COMPACT = ['ledger', 'compact', '--dry-run'];

/** What a plan of one campaign costs next to a long ledger, and a command that looks for one entry in it. With views, too. */
export async function benchLedger(): Promise<readonly Comparison[]> {
  const service = await startService(1, 1);
  try {
    const [tenth, large] = [
      await nextTo(service, LARGE / 10, 'agency', PLAN),
      await nextTo(service, LARGE, 'agency', PLAN),
    ];
    const closes = await nextTo(service, LARGE, 'agency', CLOSE);
    const checks = await nextTo(service, SWITCHES, 'agency', CHECK);
    const compactions = await nextTo(service, SWITCHES, 'agency', COMPACT);
    const [fewer, many] = [
      await nextTo(service, SWITCHES / 10, 'one campaign', PLAN),
      await nextTo(service, SWITCHES, 'one campaign', PLAN),
    ];
    const name = `plan next to ${LARGE} lines`;
    return [
      compareWithBound(
        { name, reference: `${CPU_BUDGET_SEC} s`, unit: 'ms CPU', budget: 1, note: '' },
        cpuOf(large),
        CPU_BUDGET_SEC * 1000,
      ),
      memory(name, large),
      memory(`ledger close next to ${LARGE} lines`, closes),
      memory(`ledger check of ${SWITCHES} lines`, checks),
      memory(`ledger compact of ${SWITCHES} lines`, compactions),
      growth(name, `next to ${LARGE / 10} lines`, large, tenth),
      growth(`plan next to ${SWITCHES} lines of one campaign`, `next to ${SWITCHES / 10}`, many, fewer),
      ...(await benchViews()),
    ];
  } finally {
    service.stop();
  }
}

async function nextTo(
  service: Service,
  lines: number,
  history: History,
  command: readonly string[],
): Promise<readonly Usage[]> {
  const directory = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  try {
    writeFiles(directory, {
      'herald.yaml': workspaceText(1),
      'live/one.yaml': campaignFile(aliasOf(0), 0, 1, () => 9.99),
    });
    writeLedger(join(directory, '.herald/ledger.ndjson'), lines, history);
    const usages: Usage[] = [];
    for (let run = 0; run < RUNS; run += 1)
      usages.push(
        await measure([heraldScript(), '-C', directory, ...command], {
          // Each run is the first one: no view is kept by the one before.
          env: { ...service.env, XDG_CACHE_HOME: join(directory, `cache-${run}`) },
          codes: [command === CLOSE ? 1 : 0],
        }),
      );
    return usages;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function cpuOf(usages: readonly Usage[]): readonly number[] {
  return usages.map(({ cpuMs }) => cpuMs);
}

function memory(name: string, usages: readonly Usage[]): Comparison {
  return compareWithBound(
    { name, reference: `${MEMORY_BUDGET_MB} MB`, unit: 'MB', budget: 1, note: 'peak memory' },
    usages.map(({ peakBytes }) => peakBytes / 1e6),
    MEMORY_BUDGET_MB,
  );
}

function growth(
  name: string,
  reference: string,
  ours: readonly Usage[],
  theirs: readonly Usage[],
): Comparison {
  const what = { name, reference, unit: 'ms CPU', budget: GROWTH_BUDGET, note: '' } as const;
  return compareWithBound(what, cpuOf(ours), median(cpuOf(theirs)));
}
