import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { wholeNumber } from '../runner/options.ts';
import { MUTANTS } from './list.ts';
import type { Mutant } from './mutant.ts';

export interface MutantOptions {
  readonly mutants: readonly Mutant[];
  readonly seeds: readonly number[];
  /** How many mutants run at the same time. */
  readonly workers: number;
  /** Tell for each that was found how, as a story. */
  readonly story: boolean;
}

/** What the command line asks for; an error says what is wrong with it. */
export function mutantOptionsOf(args: readonly string[]): MutantOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true },
      runs: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      workers: { type: 'string', default: String(availableParallelism()) },
      story: { type: 'boolean', default: false },
    },
  });
  const first = wholeNumber('--seed', values.seed, 0);
  return {
    mutants: values.only === undefined ? MUTANTS : values.only.map(mutantNamed),
    seeds: Array.from({ length: wholeNumber('--runs', values.runs, 1) }, (_, run) => first + run),
    workers: wholeNumber('--workers', values.workers, 1),
    story: values.story,
  };
}

function mutantNamed(name: string): Mutant {
  const mutant = MUTANTS.find((one) => one.name === name);
  if (mutant === undefined)
    throw new Error(
      `Unknown mutant "${name}". The mutants are: ${MUTANTS.map((one) => one.name).join(', ')}.`,
    );
  return mutant;
}
