import { expect, it } from 'vitest';
import { applyMutant, MUTANTS } from './mutants.ts';

it.each(MUTANTS)('the mutant $name applies to the sources', (mutant) => {
  expect(applyMutant(mutant)).not.toBe('');
});

it('no two mutants have one name', () => {
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});

it('a mutant without its text in its file, or with a test that is not there, is an error', () => {
  const [first] = MUTANTS;
  if (first === undefined) throw new Error('there is no mutant');
  expect(() => applyMutant({ ...first, text: 'nowhere' })).toThrow('its text is 0 times in');
  expect(() => applyMutant({ ...first, test: ['test/none.test.ts'] })).toThrow('which does not exist');
});
