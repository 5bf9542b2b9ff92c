import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

export interface Options {
  readonly runs: number;
  /** Of the first run; each one after it takes the next. */
  readonly seed: number;
  readonly workers: number;
  /** Tell what happens as it happens, in one thread. */
  readonly trace: boolean;
  /** Make the first run that fails simpler, and tell it as a story. */
  readonly shrink: boolean;
  /** The command that repeats the story; null for the one that runs its file. */
  readonly again: string | null;
  /** A file with the one scenario to run; null for those of the seeds. */
  readonly scenario: string | null;
}

const RUNS = 500;
/** More threads than this only cost memory. */
const WORKERS_MAX = 16;

/** What the command line asks for; an error says what is wrong with it. */
export function optionsOf(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      runs: { type: 'string' },
      seed: { type: 'string', default: '1' },
      workers: { type: 'string', default: String(availableParallelism()) },
      trace: { type: 'boolean', default: false },
      shrink: { type: 'boolean', default: false },
      'no-shrink': { type: 'boolean', default: false },
      scenario: { type: 'string' },
      again: { type: 'string' },
    },
  });
  const runsMeant = values.shrink ? 1 : RUNS;
  return {
    runs: values.runs === undefined ? runsMeant : wholeNumber('--runs', values.runs, 0),
    seed: wholeNumber('--seed', values.seed, 0),
    workers: Math.min(WORKERS_MAX, wholeNumber('--workers', values.workers, 1)),
    trace: values.trace,
    shrink: !values['no-shrink'] && !values.trace,
    scenario: values.scenario ?? null,
    again: values.again ?? null,
  };
}

export function wholeNumber(flag: string, text: string, min: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < min || text.trim() === '')
    throw new Error(`${flag} takes a whole number of at least ${min}, not "${text}".`);
  return value;
}
