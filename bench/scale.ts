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

const SIZES = [100, 1_000, 10_000] as const;
const RUNS = 5;
const PER_ACCOUNT = 100;
const PER_FILE = 10;

/** What a quiet plan of the largest size may take. */
const YAML_BUDGET = 1.4;
const CPU_BUDGET_SEC = 5;
const MEMORY_BUDGET_MB = 250;
/** Against a tenth of the campaigns. */
const GROWTH_BUDGET = 12;

type Scenario = 'first' | 'quiet' | '1 % changed';

interface Scaled {
  readonly campaigns: number;
  readonly usages: Readonly<Record<Scenario, readonly Usage[]>>;
  /** Bare `yaml` on the same files, in a process of its own. */
  readonly bare: readonly Usage[];
}

/** What `herald plan` takes over files and live objects as there are more of both. */
export async function benchScale(): Promise<readonly Comparison[]> {
  const scaled: Scaled[] = [];
  for (const campaigns of SIZES) scaled.push(await scale(campaigns));
  return [...budgets(scaled), ...scaled.flatMap(linesOf)];
}

/** A plan of the largest size that changes nothing, against its limits alone. */
export async function benchQuietPlan(): Promise<readonly Comparison[]> {
  const campaigns = Math.max(...SIZES);
  const accounts = campaigns / PER_ACCOUNT;
  const directory = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  const service = await startService(accounts, PER_ACCOUNT);
  try {
    writeFiles(directory, workspaceOf(campaigns, 0));
    const args = [heraldScript(), '-C', directory, 'plan', '--allow', 'large', '--allow', 'adopt'];
    return limits(campaigns, await repeated(() => measure(args, { env: service.env })));
  } finally {
    service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function scale(campaigns: number): Promise<Scaled> {
  const accounts = campaigns / PER_ACCOUNT;
  const directory = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  const [empty, full] = [await startService(accounts), await startService(accounts, PER_ACCOUNT)];
  try {
    writeFiles(directory, workspaceOf(campaigns, 0));
    const plan = (env: Readonly<Record<string, string>>) =>
      measure([heraldScript(), '-C', directory, 'plan', '--allow', 'large', '--allow', 'adopt'], { env });
    const quiet: Usage[] = [];
    const bare: Usage[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      quiet.push(await plan(full.env));
      bare.push(await parseBarely(join(directory, 'live')));
    }
    writeFiles(directory, workspaceOf(campaigns, campaigns / 100));
    // Side by side: each has a service, and both mostly wait for it.
    const [first, changed] = await Promise.all([
      repeated(() => plan(empty.env)),
      repeated(() => plan(full.env)),
    ]);
    return { campaigns, usages: { first, quiet, '1 % changed': changed }, bare };
  } finally {
    empty.stop();
    full.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function repeated<Result>(work: () => Promise<Result>): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let run = 0; run < RUNS; run += 1) results.push(await work());
  return results;
}

/** The first `changed` campaigns cost another price than the live ones. */
function workspaceOf(campaigns: number, changed: number): Readonly<Record<string, string>> {
  const files: Record<string, string> = { 'herald.yaml': workspaceText(campaigns / PER_ACCOUNT) };
  for (let from = 0; from < campaigns; from += PER_FILE) {
    const alias = aliasOf(Math.floor(from / PER_ACCOUNT));
    const path = `live/${String(from).padStart(6, '0')}.yaml`;
    files[path] = campaignFile(alias, from, PER_FILE, (number) => (number < changed ? 8.88 : 9.99));
  }
  return files;
}

const cpuOf = (usages: readonly Usage[]) => usages.map(({ cpuMs }) => cpuMs);
const peakOf = (usages: readonly Usage[]) => usages.map(({ peakBytes }) => peakBytes / 1e6);

function budgets(scaled: readonly Scaled[]): readonly Comparison[] {
  const [largest, tenth] = [scaled.at(-1), scaled.at(-2)];
  if (largest === undefined || tenth === undefined) return [];
  const { quiet } = largest.usages;
  const name = `quiet plan of ${largest.campaigns}`;
  return [
    compareMeasured(
      { name, reference: 'bare yaml, file by file', unit: 'ms CPU', budget: YAML_BUDGET, note: '' },
      cpuOf(quiet),
      cpuOf(largest.bare),
    ),
    compareWithBound(
      {
        name,
        reference: `quiet plan of ${tenth.campaigns}`,
        unit: 'ms CPU',
        budget: GROWTH_BUDGET,
        note: '',
      },
      cpuOf(quiet),
      median(cpuOf(tenth.usages.quiet)),
    ),
    ...limits(largest.campaigns, quiet),
  ];
}

function limits(campaigns: number, quiet: readonly Usage[]): readonly Comparison[] {
  const name = `quiet plan of ${campaigns}`;
  return [
    compareWithBound(
      { name, reference: `${CPU_BUDGET_SEC} s`, unit: 'ms CPU', budget: 1, note: '' },
      cpuOf(quiet),
      CPU_BUDGET_SEC * 1000,
    ),
    compareWithBound(
      { name, reference: `${MEMORY_BUDGET_MB} MB`, unit: 'MB', budget: 1, note: 'peak memory' },
      peakOf(quiet),
      MEMORY_BUDGET_MB,
    ),
  ];
}

/** What each plan costs, against bare yaml. */
function linesOf({ campaigns, usages, bare }: Scaled): readonly Comparison[] {
  return (Object.keys(usages) as Scenario[]).map((scenario) => {
    const cpu = cpuOf(usages[scenario]);
    const each = (median(cpu) / campaigns).toFixed(2);
    return compareWithBound(
      {
        name: `plan of ${campaigns}, ${scenario}`,
        reference: 'bare yaml, file by file',
        unit: 'ms CPU',
        budget: null,
        note: `${each} ms each, peak ${median(peakOf(usages[scenario])).toFixed(0)} MB`,
      },
      cpu,
      median(cpuOf(bare)),
    );
  });
}
