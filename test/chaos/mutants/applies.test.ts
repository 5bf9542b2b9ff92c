import { readFileSync } from 'node:fs';
import { transform } from 'esbuild';
import { expect, it } from 'vitest';
import { MUTANTS } from './list.ts';
import { withFault } from './mutant.ts';

it.each(MUTANTS)('the mutant $name still applies', (mutant) => {
  const source = readFileSync(mutant.file, 'utf8');
  expect(withFault(mutant, source)).not.toBe(source);
});

it.each(MUTANTS)('the mutant $name can be built', async (mutant) => {
  const source = readFileSync(mutant.file, 'utf8');
  const { code } = await transform(withFault(mutant, source), { loader: 'ts' });
  expect(code).not.toBe('');
});

it('no two mutants have one name', () => {
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});
