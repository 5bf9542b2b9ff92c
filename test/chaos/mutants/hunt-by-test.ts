import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
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
export function huntByTest({ name }: Mutant, test: TestOfMutant, folder: string): Hunted {
  const faulty = run(test, folder, name);
  if (faulty.numFailedTests === 0) return { kind: 'survived' };
  const product = run(test, folder, '');
  if (product.numFailedTests > 0 || product.numPassedTests === 0) return { kind: 'survived' };
  const [words = ''] = faulty.testResults.flatMap(({ assertionResults }) =>
    assertionResults.flatMap(({ failureMessages }) => failureMessages),
  );
  return { kind: 'found by its test', words };
}

function run({ file, name }: TestOfMutant, folder: string, mutant: string): Report {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', file, '-t', name];
  spawnSync(process.execPath, [...vitest, '--reporter=json', `--outputFile=${report}`], {
    env: { ...process.env, [MUTANT_VARIABLE]: mutant },
    stdio: 'ignore',
  });
  return JSON.parse(readFileSync(report, 'utf8')) as Report;
}
