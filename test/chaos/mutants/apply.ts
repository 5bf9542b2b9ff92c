import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { MUTANTS, type Mutant } from './mutants.ts';

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
