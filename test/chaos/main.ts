import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { optionsOrExit } from '../helpers/options-or-exit.ts';
import { judgeCi } from './ci/judge.ts';
import { playCi } from './ci/play.ts';
import { drawScenario } from './draw.ts';
import { judge, type Violation } from './judge/invariants.ts';
import { optionsOf, type Options } from './options.ts';
import { play } from './play.ts';
import { tellStory } from './story.ts';

// npm run chaos -- [--ci] [--seed N] [--runs N] [--workers N] [--trace]
// npm run chaos -- --processes 4 --state postgres [--seed N] [--runs N], with the command line that npm run build has made

export interface Verdict {
  readonly seed: number;
  readonly violations: readonly Violation[];
  /** How often each kind of command ended in each way. */
  readonly ends: Readonly<Record<string, number>>;
}

if (isMainThread) process.exitCode = await playAll(optionsOrExit(optionsOf));
else
  parentPort?.on(
    'message',
    (seed: number) => void judgeSeed(seed).then((one) => parentPort?.postMessage(one)),
  );

async function playAndJudge(seed: number, isCi: boolean) {
  if (!isCi) {
    const played = await play(drawScenario(seed));
    return { played, violations: judge(played) };
  }
  const played = await playCi(seed);
  return { played, violations: judgeCi(played) };
}

async function judgeSeed(seed: number): Promise<Verdict> {
  const { played, violations } = await playAndJudge(seed, workerData === true);
  const ends: Record<string, number> = {};
  for (const { does, args, end } of played.processes) {
    const key = `${does === 'look' ? args[0] : does} ends with ${end ?? 'nothing'}`;
    ends[key] = (ends[key] ?? 0) + 1;
  }
  return { seed, violations, ends };
}

async function playAll(options: Options): Promise<number> {
  const { seed, runs, processes, ci } = options;
  if (processes !== null) return (await import('./processes.ts')).playProcesses({ ...options, processes });
  if (options.trace) return trace(seed, ci);
  const startedMs = performance.now();
  const answers = await answersOf(options);
  const failed = answers
    .filter(({ violations }) => violations.length > 0)
    .sort((one, other) => one.seed - other.seed);
  for (const one of failed)
    for (const { invariant, words } of one.violations)
      console.log(`seed ${one.seed}: ${invariant}: ${words}`);
  if (runs > 1) console.log(endsOf(answers));
  const sec = (performance.now() - startedMs) / 1000;
  console.log(`${runs} runs from seed ${seed} in ${sec.toFixed(0)} s: ${failed.length} failed`);
  const [first] = failed;
  if (first === undefined) return 0;
  console.log(`npm run chaos -- ${ci ? '--ci ' : ''}--seed ${first.seed} --trace`);
  return 1;
}

async function trace(seed: number, isCi: boolean): Promise<number> {
  const { played, violations } = await playAndJudge(seed, isCi);
  console.log(`${tellStory(played)}\n`);
  for (const { invariant, words } of violations) console.log(`${invariant}: ${words}`);
  return violations.length === 0 ? 0 : 1;
}

function endsOf(answers: readonly Verdict[]): string {
  const sums = new Map<string, number>();
  for (const { ends } of answers)
    for (const [end, count] of Object.entries(ends)) sums.set(end, (sums.get(end) ?? 0) + count);
  const words = [...sums]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([end, count]) => `${end}: ${count}`);
  return `How commands ended: ${words.join('; ')}.`;
}

/** Plays every seed, spread over the workers. */
async function answersOf({ seed, runs, workers, ci }: Options): Promise<readonly Verdict[]> {
  const seeds = Array.from({ length: runs }, (_, place) => seed + place);
  const answers: Verdict[] = [];
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL(import.meta.url), { workerData: ci });
      const next = () => {
        const one = seeds.shift();
        if (one === undefined) void worker.terminate().then(() => resolve());
        else worker.postMessage(one);
      };
      worker.on('error', reject).on('message', (one: Verdict) => {
        answers.push(one);
        next();
      });
      next();
    });
  await Promise.all(Array.from({ length: workers }, work));
  return answers;
}
