import { resolve } from 'node:path';
import { MUTANTS } from './list.ts';
import { withFault } from './mutant.ts';

/** The variable that names the mutant of a test run. */
export const MUTANT_VARIABLE = 'HERALD_MUTANT';

interface VitePlugin {
  readonly name: string;
  readonly enforce: 'pre';
  readonly transform: (code: string, id: string) => string | null;
}

/** For vitest: puts a fault into the product while its test runs. Without the variable, nothing changes. */
export function mutantInTests(name: string | undefined = process.env[MUTANT_VARIABLE]): VitePlugin {
  const mutant = MUTANTS.find((one) => one.name === name);
  const path = mutant === undefined ? null : resolve(mutant.file);
  return {
    name: 'mutant',
    enforce: 'pre',
    transform: (code, id) => (mutant !== undefined && id === path ? withFault(mutant, code) : null),
  };
}
