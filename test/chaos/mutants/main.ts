import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { optionsOrExit } from '../../helpers/options-or-exit.ts';
import { inLanes } from '../runner/lanes.ts';
import { progressOn } from '../runner/progress.ts';
import { bundleWith } from './bundle.ts';
import { cleanSeeds, hunt, type Hunted } from './hunt.ts';
import { huntByTest } from './hunt-by-test.ts';
import type { Mutant } from './mutant.ts';
import { mutantOptionsOf } from './options.ts';

/** `npm run chaos:mutants`: shows that the chaos run finds each fault of the list. */
const { mutants, seeds, workers, story } = optionsOrExit(mutantOptionsOf);
const progress = progressOn(process.stderr);
const started = performance.now();
// In the folder of the dependencies, so that the bundles find them.
const folder = mkdtempSync(join('node_modules', '.mutants-'));
const missed: string[] = [];
const underWay = new Set<string>();
try {
  const product = cleanSeeds(await bundleWith(null, folder, 'product'));
  const lanes = Array.from({ length: workers }, (_, lane) => lane);
  let place = 0;
  for await (const hunted of inLanes(mutants, lanes, (mutant) => huntFor(mutant, product.isClean))) {
    const mutant = mutants[place];
    place += 1;
    if (mutant === undefined) continue;
    progress.clear();
    if (hunted.kind !== 'found' && hunted.kind !== 'found by its test') missed.push(mutant.name);
    console.log(wordsOf(mutant, hunted));
    if (story && hunted.kind === 'found') tell(mutant, hunted.seed);
    progress.show(`${place} of ${mutants.length} done, at work: ${[...underWay].join(', ')}`);
  }
  progress.clear();
  await product.end();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const minutes = ((performance.now() - started) / 60_000).toFixed(1);
console.log(
  `\n${mutants.length} mutants, ${mutants.length - missed.length} found within ${seeds.length} runs each, in ${minutes} minutes`,
);
if (missed.length > 0) {
  console.error(`Not found: ${missed.join(', ')}. The chaos run does not protect these rules.`);
  process.exitCode = 1;
}

async function huntFor(mutant: Mutant, isClean: (seed: number) => Promise<boolean>): Promise<Hunted> {
  underWay.add(mutant.name);
  try {
    if (mutant.test !== undefined) return await huntByTest(mutant, mutant.test, folder);
    const bundle = await bundleWith(mutant, folder, bundleName(mutant));
    return await hunt(bundle, seeds, isClean);
  } finally {
    underWay.delete(mutant.name);
  }
}

/** The seed with the fault in it, made as short as it gets. */
function tell(mutant: Mutant, seed: number): void {
  const again = `npm run chaos:mutants -- --only "${mutant.name}" --seed ${seed} --runs 1 --story`;
  const bundle = join(folder, `${bundleName(mutant)}.mjs`);
  spawnSync(process.execPath, [bundle, '--seed', String(seed), '--shrink', '--again', again], {
    stdio: 'inherit',
  });
}

function bundleName(mutant: Mutant): string {
  return `mutant-${mutants.indexOf(mutant)}`;
}

function wordsOf(mutant: Mutant, hunted: Hunted): string {
  const { name, protects } = mutant;
  const head = `${name}\n    breaks: ${protects}\n   `;
  switch (hunted.kind) {
    case 'found': {
      const runs = seeds.indexOf(hunted.seed) + 1;
      return `${head} found after ${runs} ${runs === 1 ? 'run' : 'runs'}, seed ${hunted.seed}: ${firstLine(hunted.violation.kind)}: ${firstLine(hunted.violation.words)}`;
    }
    case 'found by its test':
      return `${head} found by ${mutant.test?.file ?? ''}: ${firstLine(hunted.words)}`;
    case 'survived':
      return mutant.test === undefined
        ? `${head} NOT FOUND within ${seeds.length} runs`
        : `${head} NOT FOUND by ${mutant.test.file}`;
    case 'crashed':
      return `${head} NOT FOUND within ${seeds.length} runs; it only crashes Herald, first at seed ${hunted.seed}: ${firstLine(hunted.crash.words)}`;
  }
}

function firstLine(text: string): string {
  return text.split('\n')[0]?.slice(0, 300) ?? '';
}
