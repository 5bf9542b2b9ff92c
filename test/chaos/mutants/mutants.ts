import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { OF_ENGINE } from './of-engine.ts';
import { OF_PLAN } from './of-plan.ts';
import { OF_STATE } from './of-state.ts';

/** A small fault in the new core: it breaks one rule, and the chaos run or one test must find it. */
export interface Mutant {
  readonly name: string;
  /** The rule that it breaks. */
  readonly rule: string;
  readonly file: string;
  /** Text that is in the file exactly once, and what it becomes. */
  readonly text: string;
  readonly becomes: string;
  /** The test that finds it, where the chaos run cannot meet it: a file, and a part of names in it. */
  readonly test?: readonly [file: string, name?: string];
}

export const MUTANTS: readonly Mutant[] = [...OF_STATE, ...OF_ENGINE, ...OF_PLAN];

/** The variable that names the mutant of a test run, also for the mutants of the old core. */
export const MUTANT_VARIABLE = 'HERALD_MUTANT';

/** The text of the mutant's file with the fault in it. Throws if its text is not there once, or its test is not there. */
export function applyMutant({ name, file, text, becomes, test }: Mutant): string {
  const source = readFileSync(resolve(file), 'utf8');
  const times = source.split(text).length - 1;
  if (times !== 1)
    throw new Error(`The mutant "${name}" does not apply: its text is ${times} times in ${file}.`);
  if (test !== undefined && !existsSync(test[0]))
    throw new Error(`The mutant "${name}" names the test ${test[0]}, which does not exist.`);
  return source.replace(text, () => becomes);
}

interface VitePlugin {
  readonly name: string;
  readonly enforce: 'pre';
  readonly transform: (code: string, id: string) => string | null;
}

/** For vitest: puts a fault into the product while a test runs. Without the variable, nothing changes. */
export function mutantInTests(name = process.env[MUTANT_VARIABLE]): VitePlugin {
  const mutant = MUTANTS.find((one) => one.name === name);
  const path = mutant === undefined ? null : resolve(mutant.file);
  return {
    name: 'promise-mutant',
    enforce: 'pre',
    transform: (_, id) => (mutant !== undefined && id === path ? applyMutant(mutant) : null),
  };
}
