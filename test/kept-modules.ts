import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { VitestPluginContext } from 'vitest/node';
import { MUTANT_VARIABLE } from './chaos/mutants/mutants.ts';

/** Files that decide how other modules are transformed. Vitest itself looks at the lockfile and at each module. */
const TRANSFORMS = [
  'vitest.config.ts',
  'tsconfig.json',
  'package.json',
  'scripts/page-assets.js',
  'test/kept-modules.ts',
];
const key = createHash('sha256')
  .update(TRANSFORMS.map((path) => readFileSync(path, 'utf8')).join('\0'))
  .digest('hex');

/**
 * Whether modules are kept transformed in `node_modules` for the next run, each by its text. Never with a mutant, or in
 * CI, which begins with a clean checkout and measures coverage.
 */
export const KEEPS_MODULES = process.env['CI'] !== 'true' && process.env[MUTANT_VARIABLE] === undefined;

/** A module that was kept is used only if all that transforms it is the same. */
export const keptModules = {
  name: 'kept-modules',
  configureVitest: ({ experimental_defineCacheKeyGenerator: define }: VitestPluginContext): void =>
    define(ofThisTree),
};

function ofThisTree(): string {
  return key;
}
