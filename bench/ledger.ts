import { mkdtempSync, rmSync, statSync } from 'node:fs';
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
/** About 570 MB. Node holds no text of more than 512 MB. */
const LONGER_THAN_A_TEXT = 1_420_000;
const TEXT_MAX_BYTES = 2 ** 29;
const LONG = { runs: 1, leastBytes: TEXT_MAX_BYTES };
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

/**
 * With `--long` only a ledger of more than 512 MB: a plan of one campaign, and a command that looks for one entry.
 * Otherwise what a plan of one campaign costs next to a long ledger, and a command that looks for one entry in it. With views, too.
 */
export async function benchLedger(): Promise<readonly Comparison[]> {
  const service = await startService(1, 1);
  try {
    if (process.argv.includes('--long')) return await beyondTexts(service);
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
      linear(name, large, LARGE),
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

async function beyondTexts(service: Service): Promise<readonly Comparison[]> {
  const lines = LONGER_THAN_A_TEXT;
  const [plans, closes] = [
    await nextTo(service, lines, 'agency', PLAN, LONG),
    await nextTo(service, lines, 'agency', CLOSE, LONG),
  ];
  const name = `plan next to ${lines} lines`;
  return [
    linear(name, plans, lines),
    memory(name, plans),
    memory(`ledger close next to ${lines} lines`, closes),
  ];
}

/** Against the budget of a large ledger, line by line. */
function linear(name: string, usages: readonly Usage[], lines: number): Comparison {
  const budgetSec = (CPU_BUDGET_SEC * lines) / LARGE;
  return compareWithBound(
    { name, reference: `${budgetSec.toFixed(1)} s`, unit: 'ms CPU', budget: 1, note: '' },
    cpuOf(usages),
    budgetSec * 1000,
  );
}

async function nextTo(
  service: Service,
  lines: number,
  history: History,
  command: readonly string[],
  { runs, leastBytes } = { runs: RUNS, leastBytes: 0 },
): Promise<readonly Usage[]> {
  const directory = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  try {
    writeFiles(directory, {
      'herald.yaml': workspaceText(1),
      'live/one.yaml': campaignFile(aliasOf(0), 0, 1, () => 9.99),
    });
    const path = join(directory, '.herald/ledger.ndjson');
    writeLedger(path, lines, history);
    const { size } = statSync(path);
    if (size < leastBytes) throw new Error(`the ledger has only ${size} bytes`);
    const usages: Usage[] = [];
    for (let run = 0; run < runs; run += 1)
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
