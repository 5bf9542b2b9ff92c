import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parentPort, Worker } from 'node:worker_threads';
import { Dice } from '../chaos/dice.ts';
import { readWholeNumber } from '../chaos/options.ts';
import { KIND_NAMES, KINDS, type KindName } from './kinds.ts';
import { play, type Input } from './play.ts';

/** One input is drawn from its kind and its seed alone. */
interface Question {
  readonly kind: KindName;
  readonly seed: number;
}

/** What came of one input; the input itself only where it failed. */
interface Played {
  readonly input: Input | null;
  readonly problem: string | null;
}

interface Options {
  readonly kinds: readonly KindName[];
  /** The first one; each input of a kind takes the next. */
  readonly seed: number;
  readonly seconds: number;
  /** For each kind. */
  readonly inputs: number;
}

/** How an input ended in its thread; without a result, it says why. */
type Answer = { readonly result: Played } | { readonly crash: string } | { readonly stuckAfterSec: number };

/** An input takes some milliseconds; one that takes this long hangs. On a busy machine it may wait for its turn. */
const LONGEST_WAIT_MS = 300_000;
/** Processor time of the whole process: a busy machine does not add to it. */
const LONGEST_WORK_MS = 5_000;
/** How often it is looked whether an input hangs. */
const LOOK_MS = 250;
/** How late a look is on a busy machine. */
const LOOK_AT_MOST_MS = 5_000;
const SECONDS = 60;

/** Tries odd inputs of every kind in turn; answers the exit code. */
async function fuzz(args: readonly string[]): Promise<number> {
  const options = optionsOf(args);
  const { kinds, seed } = options;
  console.log(`seed ${seed}`);
  const thread = new Thread();
  const failed = new Map<KindName, number>(kinds.map((kind) => [kind, 0]));
  const started = performance.now();
  let round = 0;
  const total = () =>
    `${round * kinds.length} inputs in all, ${Math.round((round * kinds.length * 1000) / (performance.now() - started))} a second, ${[...failed.values()].reduce((sum, count) => sum + count, 0)} failed; the next seed is ${seed + round}`;
  for (; round < options.inputs && performance.now() - started < options.seconds * 1000; round += 1) {
    for (const kind of kinds) {
      const question = { kind, seed: seed + round };
      const answer = await thread.ask(question);
      const problem = problemIn(answer);
      if (problem === null) continue;
      failed.set(kind, (failed.get(kind) ?? 0) + 1);
      tell(question, problem, answer);
    }
  }
  await thread.end();
  for (const [kind, count] of failed) console.log(`${kind.padEnd(14)} ${round} inputs, ${count} failed`);
  console.log(total());
  return [...failed.values()].every((count) => count === 0) ? 0 : 1;
}

/** Plays one input at a time in a thread, which starts again after a crash. */
class Thread {
  #worker: Worker | null = null;

  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  async ask(question: Question): Promise<Answer> {
    this.#worker ??= new Worker(new URL(import.meta.url));
    const answer = await answerFrom(this.#worker, question);
    if (!('result' in answer)) await this.end();
    return answer;
  }
}

function answerFrom(worker: Worker, question: Question): Promise<Answer> {
  return new Promise((resolve) => {
    let waitedMs = 0;
    let lookedMs = performance.now();
    const before = process.cpuUsage();
    const end = (answer: Answer) => {
      clearInterval(looking);
      worker.off('message', end).off('exit', onExit).off('error', onError);
      // A thread that fails while it is stopped must not end the whole process.
      if (!('result' in answer)) worker.on('error', () => undefined);
      resolve(answer);
    };
    const onError = (error: Error) => end({ crash: error.stack ?? String(error) });
    const onExit = (code: number) => end({ crash: `the thread ended with code ${code}` });
    const looking = setInterval(() => {
      // Time in which this process was stopped itself does not count.
      waitedMs += Math.min(performance.now() - lookedMs, LOOK_AT_MOST_MS);
      lookedMs = performance.now();
      const { user, system } = process.cpuUsage(before);
      if ((user + system) / 1000 > LONGEST_WORK_MS) end({ stuckAfterSec: LONGEST_WORK_MS / 1000 });
      else if (waitedMs > LONGEST_WAIT_MS) end({ stuckAfterSec: LONGEST_WAIT_MS / 1000 });
    }, LOOK_MS);
    worker.on('message', end).on('exit', onExit).on('error', onError);
    worker.postMessage(question);
  });
}

function problemIn(answer: Answer): string | null {
  if ('result' in answer) return answer.result.problem;
  return 'crash' in answer
    ? `a crash: ${answer.crash}`
    : `no end after ${answer.stuckAfterSec} s of work or waiting`;
}

/** What failed, the file that keeps it, and the command that repeats it. */
function tell({ kind, seed }: Question, problem: string, answer: Answer): void {
  const path = `.fuzz/${kind}-${seed}.json`;
  const input = 'result' in answer ? answer.result.input : null;
  mkdirSync('.fuzz', { recursive: true });
  writeFileSync(path, JSON.stringify({ kind, seed, problem, input }, null, 2));
  console.error(
    `${problem}\n  kept in ${path}; again: npm run fuzz -- --kind ${kind} --seed ${seed} --inputs 1`,
  );
}

function optionsOf(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string' },
      inputs: { type: 'string' },
      seed: { type: 'string', default: '1' },
      kind: { type: 'string' },
    },
  });
  const { kind, seconds, inputs } = values;
  const kinds = kind === undefined ? KIND_NAMES : KIND_NAMES.filter((name) => name === kind);
  if (kinds.length === 0) throw new Error(`--kind takes one of ${KIND_NAMES.join(', ')}, not "${kind}".`);
  const whole = (flag: string, text: string | undefined, otherwise: number) =>
    text === undefined ? otherwise : readWholeNumber(flag, text);
  return {
    kinds,
    seed: readWholeNumber('--seed', values.seed),
    inputs: whole('--inputs', inputs, Infinity),
    seconds: whole('--seconds', seconds, inputs === undefined ? SECONDS : Infinity),
  };
}

async function answer({ kind, seed }: Question): Promise<void> {
  const send = (ended: Answer) => parentPort?.postMessage(ended);
  try {
    const input = await KINDS[kind](new Dice(seed));
    const problem = await play(input);
    send({ result: { input: problem === null ? null : input, problem } });
  } catch (error) {
    send({ crash: error instanceof Error ? (error.stack ?? '') : String(error) });
  }
}

// `npm run fuzz -- --seconds 60 --seed 1`: odd inputs of every kind, in a thread that is watched.
if (parentPort === null) process.exitCode = await fuzz(process.argv.slice(2));
else parentPort.on('message', (question: Question) => void answer(question));
