import { mkdirSync, writeFileSync } from 'node:fs';
import { drive } from '../drive.ts';
import { findingsIn, type Finding } from '../runner/answers.ts';
import { progressOn } from '../runner/progress.ts';
import { scenarioOf } from '../scenario.ts';
import { shrinkScenario, TRIES_MAX } from './shrink-scenario.ts';

const FOLDER = '.chaos';

/** Makes a failing run as short as it gets, tells it as a story, and keeps it to be run again. */
export async function tellShrunk(
  { seed, finding }: { readonly seed: number; readonly finding: Finding },
  bundle: URL,
  { workers, again }: { readonly workers: number; readonly again: string | null },
): Promise<void> {
  const progress = progressOn(process.stderr);
  const { scenario, tries } = await shrinkScenario(scenarioOf(seed), finding, bundle, workers, (count) =>
    progress.show(`shrinking seed ${seed}: ${count} of at most ${TRIES_MAX} tries`),
  );
  progress.clear();
  mkdirSync(FOLDER, { recursive: true });
  const file = `${FOLDER}/seed-${seed}.json`;
  writeFileSync(file, `${JSON.stringify(scenario, null, 2)}\n`);
  console.log(`\nSeed ${seed}, made shorter in ${tries} tries:\n`);
  const result = await drive(scenario, (line) => console.log(line));
  for (const { kind, words } of findingsIn({ result })) console.log(`\n${kind}: ${words}`);
  console.log(`\nRun it again: ${again ?? `npm run chaos -- --scenario ${file}`}`);
}
