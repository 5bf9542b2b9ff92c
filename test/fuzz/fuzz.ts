import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { KIND_NAMES, type KindName } from './kinds.ts';
import type { Input } from './play.ts';
import { threadOf, type Answer, type Bounds } from './thread.ts';

/** One input is drawn from its kind and its seed alone. */
export interface Question {
  readonly kind: KindName;
  readonly seed: number;
}

/** What came of one input; the input itself only where it failed. */
export interface Played {
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

/** An input takes some milliseconds; one that takes this long hangs. On a busy machine it may wait for its turn. */
const LONGEST_INPUT: Bounds = { wallMs: 300_000, cpuMs: 5_000 };
const SECONDS = 60;
/** How often a long run says how far it is. */
const TELL_EVERY_MS = 30_000;

/** Tries odd inputs of every kind in turn; answers the exit code. */
export async function fuzz(args: readonly string[], bundle: URL): Promise<number> {
  const options = optionsOf(args);
  const { kinds, seed } = options;
  console.log(`seed ${seed}`);
  const thread = threadOf<Question, Played>(bundle, LONGEST_INPUT);
  const failed = new Map<KindName, number>(kinds.map((kind) => [kind, 0]));
  const started = performance.now();
  let toldMs = started;
  let round = 0;
  const total = () =>
    `${round * kinds.length} inputs in all, ${Math.round((round * kinds.length * 1000) / (performance.now() - started))} a second, ${[...failed.values()].reduce((sum, count) => sum + count, 0)} failed; the next seed is ${seed + round}`;
  for (; round < options.inputs && performance.now() - started < options.seconds * 1000; round += 1) {
    if (performance.now() - toldMs > TELL_EVERY_MS) {
      toldMs = performance.now();
      console.log(total());
    }
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

function problemIn(answer: Answer<Played>): string | null {
  if ('result' in answer) return answer.result.problem;
  return 'crash' in answer
    ? `a crash: ${answer.crash}`
    : `no end after ${answer.stuckAfterSec} s of work or waiting`;
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

function wholeNumber(flag: string, text: string, min: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < min || text.trim() === '')
    throw new Error(`${flag} takes a whole number of at least ${min}, not "${text}".`);
  return value;
}
