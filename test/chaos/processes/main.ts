import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { optionsOrExit } from '../../helpers/options-or-exit.ts';
import { VIOLATION_KINDS } from '../violation.ts';
import { makeRunner, type ProcessResult } from './one-run.ts';
import { processOptionsOf, type ProcessOptions } from './options.ts';

/** `npm run chaos -- --processes 4`: scenario after scenario with real processes. Answers the exit code. */
export async function processChaos(): Promise<number> {
  const options = optionsOrExit(processOptionsOf);
  const folder = mkdtempSync(join(tmpdir(), 'herald-cli-'));
  try {
    execFileSync(process.execPath, ['scripts/build.js', '--bin', folder], { stdio: 'inherit' });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    return await runAll(options, join(folder, 'cli.js'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runAll(options: ProcessOptions, cli: string): Promise<number> {
  const { runs, seed, workers, processes, state } = options;
  const startedMs = performance.now();
  const found = new Map<string, number>();
  const ends = new Map<string, number>();
  let next = seed;
  const worker = async () => {
    const runner = await makeRunner(cli, options);
    try {
      while (next < seed + runs) {
        const own = next;
        next += 1;
        count(await runner.run(own), { found, ends });
      }
    } finally {
      await runner.end();
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, Math.max(1, runs)) }, worker));
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
  const counts = VIOLATION_KINDS.map((kind) => `${kind}: ${found.get(kind) ?? 0}`).join(', ');
  const codes = [...ends].toSorted().map(([code, times]) => `${code} ${times}`);
  console.log(`exits of processes: ${codes.join(', ')}`);
  console.log(
    `${runs} runs from seed ${seed}, ${processes} processes, state ${state}: ${counts} in ${minutes} minutes`,
  );
  return found.size === 0 ? 0 : 1;
}

function count(
  { scenario, violations, ends: codes }: ProcessResult,
  { found, ends }: { readonly found: Map<string, number>; readonly ends: Map<string, number> },
): void {
  for (const code of codes) ends.set(code, (ends.get(code) ?? 0) + 1);
  for (const { kind } of violations) found.set(kind, (found.get(kind) ?? 0) + 1);
  if (violations.length === 0) return;
  console.error(`seed ${scenario.seed}: ${JSON.stringify(scenario)}`);
  for (const { kind, words } of violations) console.error(`  ${kind}: ${words}`);
}
