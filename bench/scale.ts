import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseBarely } from './bare-yaml.ts';
import { campaignFile } from './campaigns.ts';
import { heraldScript } from './herald.ts';
import { compareMeasured, compareWithBound, median, type Comparison } from './pairs.ts';
import { measure, type Usage } from './process.ts';
import { startService } from './service.ts';
import { aliasOf, workspaceText, writeFiles } from './workspace.ts';

const LARGE = 10_000;
const RUNS = 3;
const PER_ACCOUNT = 100;
const PER_FILE = 10;

/** What a quiet plan of the larger size may take. */
const YAML_BUDGET = 1.4;
const CPU_BUDGET_SEC = 5;
const MEMORY_BUDGET_MB = 250;
/** Against a tenth of the campaigns. */
const GROWTH_BUDGET = 12;

interface Scaled {
  readonly quiet: readonly Usage[];
  /** Bare `yaml` on the same files, in a process of its own. */
  readonly bare: readonly Usage[];
}

/** What `herald plan` takes over files and live objects that are the same, as there are more of both. */
export async function benchScale(): Promise<readonly Comparison[]> {
  const [tenth, { quiet, bare }] = [await scale(LARGE / 10), await scale(LARGE)];
  const what = { name: `quiet plan of ${LARGE}`, unit: 'ms CPU', note: '' } as const;
  return [
    compareMeasured(
      { ...what, reference: 'bare yaml, file by file', budget: YAML_BUDGET },
      cpuOf(quiet),
      cpuOf(bare),
    ),
    compareWithBound(
      { ...what, reference: `quiet plan of ${LARGE / 10}`, budget: GROWTH_BUDGET },
      cpuOf(quiet),
      median(cpuOf(tenth.quiet)),
    ),
    ...limits(quiet),
  ];
}

async function scale(campaigns: number): Promise<Scaled> {
  const directory = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  const service = await startService(campaigns / PER_ACCOUNT, PER_ACCOUNT);
  try {
    writeFiles(directory, workspaceOf(campaigns));
    const args = [heraldScript(), '-C', directory, 'plan', '--allow', 'adopt'];
    const [quiet, bare]: [Usage[], Usage[]] = [[], []];
    for (let run = 0; run < RUNS; run += 1) {
      const plan = await measure(args, { env: service.env });
      if (!plan.stdout.includes(`No changes: ${campaigns} unchanged`))
        throw new Error(`the plan is not quiet: ${plan.stdout}`);
      quiet.push(plan);
      bare.push(await parseBarely(join(directory, 'live')));
    }
    return { quiet, bare };
  } finally {
    service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

function workspaceOf(campaigns: number): Readonly<Record<string, string>> {
  const files: Record<string, string> = { 'herald.yaml': workspaceText(campaigns / PER_ACCOUNT) };
  for (let from = 0; from < campaigns; from += PER_FILE) {
    const alias = aliasOf(Math.floor(from / PER_ACCOUNT));
    files[`live/${String(from).padStart(6, '0')}.yaml`] = campaignFile(alias, from, PER_FILE);
  }
  return files;
}

const cpuOf = (usages: readonly Usage[]) => usages.map(({ cpuMs }) => cpuMs);

function limits(quiet: readonly Usage[]): readonly Comparison[] {
  const name = `quiet plan of ${LARGE}`;
  return [
    compareWithBound(
      { name, reference: `${CPU_BUDGET_SEC} s`, unit: 'ms CPU', budget: 1, note: '' },
      cpuOf(quiet),
      CPU_BUDGET_SEC * 1000,
    ),
    compareWithBound(
      { name, reference: `${MEMORY_BUDGET_MB} MB`, unit: 'MB', budget: 1, note: 'peak memory' },
      quiet.map(({ peakBytes }) => peakBytes / 1e6),
      MEMORY_BUDGET_MB,
    ),
  ];
}
