import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { wholeNumber } from '../chaos/runner/options.ts';
import { threadOf, type Answer, type Thread } from '../chaos/runner/thread.ts';
import { KIND_NAMES, type KindName } from './kinds.ts';
import type { Input } from './play.ts';

/** One input is drawn from its kind and its seed alone. */
export interface Question {
  readonly kind: KindName;
  readonly seed: number;
}

interface Played {
  readonly input: Input;
  readonly problem: string | null;
}

interface Options {
  readonly kinds: readonly KindName[];
  readonly seed: number;
  /** For each kind. */
  readonly seconds: number;
  readonly inputs: number;
}

/** An input takes some hundredths of a second; one that takes this long hangs. */
const LONGEST_INPUT_MS = 5_000;
const SECONDS = 10;

/** Tries odd inputs of every kind; answers the exit code. */
export async function fuzz(args: readonly string[], bundle: URL): Promise<number> {
  const { kinds, ...options } = optionsOf(args);
  console.log(`seed ${options.seed}`);
  const threads = new Threads(bundle);
  let failures = 0;
  for (const kind of kinds) failures += await tryKind(kind, options, threads);
  await threads.end();
  return failures === 0 ? 0 : 1;
}

/** The number of inputs that failed. */
async function tryKind(kind: KindName, options: Omit<Options, 'kinds'>, threads: Threads): Promise<number> {
  await threads.warmUp();
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  let [tried, failed] = [0, 0];
  for (; tried < options.inputs && elapsed() < options.seconds; tried += 1) {
    const question = { kind, seed: options.seed + tried };
    const answer = await threads.ask(question);
    const problem = problemIn(answer);
    if (problem === null) continue;
    failed += 1;
    tell(question, problem, answer);
  }
  const rate = Math.round(tried / elapsed());
  console.log(`${kind.padEnd(14)} ${tried} inputs, ${rate} a second, ${failed} failed`);
  return failed;
}

/** One thread that is watched; one that hangs or ends is replaced by a new one. */
class Threads {
  readonly #bundle: URL;
  #thread: Thread<Question, Played> | null = null;

  constructor(bundle: URL) {
    this.#bundle = bundle;
  }

  /** Lets a new thread load all of the program, so that no later input waits for that. */
  async warmUp(): Promise<Thread<Question, Played>> {
    if (this.#thread !== null) return this.#thread;
    const thread = threadOf<Question, Played>(this.#bundle, LONGEST_INPUT_MS);
    for (const kind of KIND_NAMES) await thread.ask({ kind, seed: 0 });
    this.#thread = thread;
    return thread;
  }

  async ask(question: Question): Promise<Answer<Played>> {
    const answer = await (await this.warmUp()).ask(question);
    if (!('result' in answer)) this.#thread = null;
    return answer;
  }

  async end(): Promise<void> {
    await this.#thread?.end();
  }
}

function problemIn(answer: Answer<Played>): string | null {
  if ('result' in answer) return answer.result.problem;
  return 'crash' in answer ? `a crash: ${answer.crash}` : `no end after ${answer.stuckAfterSec} s`;
}

/** What failed, the file that keeps it, and the command that repeats it. */
function tell({ kind, seed }: Question, problem: string, answer: Answer<Played>): void {
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
    text === undefined ? otherwise : wholeNumber(flag, text, 1);
  return {
    kinds,
    seed: wholeNumber('--seed', values.seed, 0),
    inputs: whole('--inputs', inputs, Infinity),
    seconds: whole('--seconds', seconds, inputs === undefined ? SECONDS : Infinity),
  };
}
