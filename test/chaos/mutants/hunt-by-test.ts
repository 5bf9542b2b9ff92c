import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hunted } from './hunt.ts';
import { MUTANT_VARIABLE } from './in-tests.ts';
import type { Mutant, TestOfMutant } from './mutant.ts';

/** What vitest reports as JSON, as far as it is needed. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly failureMessages: readonly string[] }[];
  }[];
}

/** Runs the test of a mutant with the fault, and without it: only a test that passes without it can show it. */
export async function huntByTest({ name }: Mutant, test: TestOfMutant, folder: string): Promise<Hunted> {
  const faulty = await run(test, folder, name);
  if (faulty.numFailedTests === 0) return { kind: 'survived' };
  const product = await run(test, folder, undefined);
  if (product.numFailedTests > 0 || product.numPassedTests === 0) return { kind: 'survived' };
  const [words = ''] = faulty.testResults.flatMap(({ assertionResults }) =>
    assertionResults.flatMap(({ failureMessages }) => failureMessages),
  );
  return { kind: 'found by its test', words };
}

async function run(
  { file, name }: TestOfMutant,
  folder: string,
  mutant: string | undefined,
): Promise<Report> {
  const report = join(mkdtempSync(join(folder, 'report-')), 'report.json');
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', file, '-t', name];
  // Without the variable, modules that were transformed before are used.
  const env = { ...process.env, [MUTANT_VARIABLE]: mutant };
  const child = spawn(process.execPath, [...vitest, '--reporter=json', `--outputFile=${report}`], {
    env,
    stdio: 'ignore',
  });
  await once(child, 'close');
  return JSON.parse(readFileSync(report, 'utf8')) as Report;
}
