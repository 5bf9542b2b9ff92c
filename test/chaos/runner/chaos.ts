import { readFileSync } from 'node:fs';
import { optionsOrExit } from '../../helpers/options-or-exit.ts';
import { drive, type Result } from '../drive.ts';
import { scenarioOf, type Scenario } from '../scenario.ts';
import { tellShrunk } from '../shrink/tell-shrunk.ts';
import { findingsIn, type Finding } from './answers.ts';
import { optionsOf, type Options } from './options.ts';
import { progressOn } from './progress.ts';
import { RunCounts } from './run-counts.ts';
import type { Answer } from './thread.ts';
import { answersOf } from './threads.ts';

/** The first run that broke a promise. */
interface Failure {
  readonly seed: number;
  readonly finding: Finding;
}

/** All runs that the command line asks for; answers the exit code. */
export async function chaos(bundle: URL): Promise<number> {
  const options = optionsOrExit(optionsOf);
  if (options.scenario !== null) return replay(options.scenario);
  const started = performance.now();
  const counts = new RunCounts();
  const first = await runAll(options, bundle, counts);
  if (options.runs > 1) console.log(`${counts.table()}\n`);
  console.log(`${counts.summary(options.seed, (performance.now() - started) / 60_000)}`);
  const rare = counts.rare();
  if (rare.length > 0) console.error(`hit too seldom: ${rare.join('; ')}`);
  if (first === null) return rare.length === 0 ? 0 : 1;
  if (options.shrink && first.finding.kind !== 'breakdown') await tellShrunk(first, bundle, options);
  if (options.again === null)
    console.error(`the first run that failed: npm run chaos -- --seed ${first.seed} --runs 1 --trace`);
  return 1;
}

/** Says at once which runs failed, in the order of the seeds, whatever the number of threads. */
async function runAll(options: Options, bundle: URL, counts: RunCounts): Promise<Failure | null> {
  const progress = progressOn(process.stderr);
  let first: Failure | null = null;
  let seed = options.seed;
  for await (const answer of answersTo(options, bundle)) {
    progress.clear();
    counts.add(answer);
    const findings = findingsIn(answer);
    const [finding] = findings;
    if (finding !== undefined) {
      first ??= { seed, finding };
      console.error(`seed ${seed}:\n${inLines(findings)}`);
    }
    seed += 1;
    progress.show(`${seed - options.seed} of ${options.runs} runs${first === null ? '' : ', some failed'}`);
  }
  progress.clear();
  return first;
}

async function* answersTo(options: Options, bundle: URL): AsyncGenerator<Answer<Result>> {
  const seeds = Array.from({ length: options.runs }, (_, run) => options.seed + run);
  if (!options.trace)
    yield* answersOf(
      bundle,
      options.workers,
      seeds.map((seed) => ({ seed })),
    );
  else for (const seed of seeds) yield { result: await drive(scenarioOf(seed), (line) => console.log(line)) };
}

/** Runs the one scenario of a file, and tells what happens. */
async function replay(path: string): Promise<number> {
  const scenario = JSON.parse(readFileSync(path, 'utf8')) as Scenario;
  const result = await drive(scenario, (line) => console.log(line));
  const findings = findingsIn({ result });
  console.log(findings.length === 0 ? '\nNothing went wrong.' : `\nWhat went wrong:\n${inLines(findings)}`);
  return findings.length === 0 ? 0 : 1;
}

function inLines(findings: readonly Finding[]): string {
  return findings.map(({ kind, words }) => `  ${kind}: ${words}`).join('\n');
}
