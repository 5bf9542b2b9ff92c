import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { build, type Plugin } from 'esbuild';
import pLimit from 'p-limit';
import { pageAssets } from '../../../scripts/page-assets.js';
import type { Verdict } from '../main.ts';
import { applyMutant, MUTANT_VARIABLE, MUTANTS, type Mutant } from './mutants.ts';

// npm run mutants -- [--only NAME] [--runs N] [--workers N] [--by-test | --by-chaos]

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    runs: { type: 'string', default: '500' },
    workers: { type: 'string', default: '2' },
    'by-test': { type: 'boolean', default: false },
    'by-chaos': { type: 'boolean', default: false },
  },
});
// Next to the dependencies, so that the bundles find them.
const folder = mkdtempSync(join('node_modules', '.mutants-'));
const clean = new Map<string, Promise<boolean>>();
let product: Promise<string> | null = null;
const missed: string[] = [];
try {
  const inTurn = pLimit(Number(values.workers));
  await Promise.all(chooseMutants().map((mutant) => inTurn(() => find(mutant))));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(missed.length === 0 ? 'All were found.' : `Not found: ${missed.join(', ')}`);
process.exitCode = missed.length === 0 ? 0 : 1;

function chooseMutants(): readonly Mutant[] {
  const unknown = values.only?.find((name) => MUTANTS.every((mutant) => mutant.name !== name));
  if (unknown !== undefined) throw new Error(`No mutant is called "${unknown}".`);
  return MUTANTS.filter(
    ({ name, test }) =>
      (values.only?.includes(name) ?? true) &&
      !(values['by-test'] && test === undefined) &&
      !(values['by-chaos'] && test !== undefined),
  );
}

async function find(mutant: Mutant): Promise<void> {
  const { name, rule, test } = mutant;
  const found = test === undefined ? await findByChaos(mutant) : await findByTest(mutant, test);
  if (found === null) missed.push(name);
  console.log(`${name}: ${found ?? 'NOT FOUND'}\n    breaks: ${rule}`);
}

/** Plays seed after seed until one breaks the promise that is clean without the fault. Null if none does. */
async function findByChaos(mutant: Mutant): Promise<string | null> {
  const worker = new Worker(await bundleWith(mutant));
  try {
    for (let seed = 1; seed <= Number(values.runs); seed += 1) {
      const [violation] = await play(worker, seed);
      if (violation !== undefined && (await isClean(seed)))
        return `found after ${seed} runs: ${violation.invariant}: ${violation.words.slice(0, 200)}`;
    }
    return null;
  } finally {
    await worker.terminate();
  }
}

async function play(worker: Worker, seed: number): Promise<Verdict['violations']> {
  worker.postMessage(seed);
  const [{ violations }] = (await once(worker, 'message')) as [Verdict];
  return violations;
}

function isClean(seed: number): Promise<boolean> {
  return remember(`seed ${seed}`, async () => {
    const worker = new Worker(await (product ??= bundleWith(null)), {});
    const violations = await play(worker, seed);
    await worker.terminate();
    return violations.length === 0;
  });
}

type Test = NonNullable<Mutant['test']>;

/** Runs the test with the fault, and without it: only a test that passes without it shows anything. */
async function findByTest({ name }: Mutant, test: Test): Promise<string | null> {
  const passes = await remember(test[0], () => runTest([test[0]], undefined));
  if (!passes) throw new Error(`${test[0]} fails without any fault.`);
  return (await runTest(test, name)) ? null : `found by ${test[0]}`;
}

async function runTest([file, part]: Test, mutant: string | undefined): Promise<boolean> {
  const env = { ...process.env, [MUTANT_VARIABLE]: mutant };
  const only = part === undefined ? [] : ['-t', part];
  const args = ['node_modules/vitest/vitest.mjs', 'run', file, '--bail=1', ...only];
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0;
}

function remember(key: string, ask: () => Promise<boolean>): Promise<boolean> {
  const answer = clean.get(key) ?? ask();
  clean.set(key, answer);
  return answer;
}

/** Builds the chaos run with a fault in it or, for null, as it is. */
async function bundleWith(mutant: Mutant | null): Promise<string> {
  const outfile = join(folder, `${mutant?.name ?? 'product'}.mjs`);
  const path = mutant === null ? null : resolve(mutant.file);
  const fault: Plugin = {
    name: 'mutant',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.ts$/ }, (file) =>
        mutant !== null && file.path === path ? { contents: applyMutant(mutant), loader: 'ts' } : undefined,
      ),
  };
  await build({
    entryPoints: ['test/chaos/main.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
    outfile,
    plugins: [pageAssets, fault],
  });
  return resolve(outfile);
}
