import { expect, it } from 'vitest';
import { optionsOf } from './options.ts';

it('takes the flags of the chaos run, and knows what is meant without them', () => {
  expect(optionsOf(['--runs', '7', '--seed', '0', '--workers', '3', '--trace'])).toEqual({
    runs: 7,
    seed: 0,
    workers: 3,
    trace: true,
    shrink: false,
    scenario: null,
    again: null,
  });
  expect(optionsOf([])).toMatchObject({ runs: 500, seed: 1, trace: false, shrink: true });
  expect(optionsOf(['--seed', '9', '--shrink'])).toMatchObject({ runs: 1, seed: 9, shrink: true });
  expect(optionsOf(['--no-shrink'])).toMatchObject({ runs: 500, shrink: false });
});

it.each(['-1', '1.5', 'many', '', '1e99'])('refuses --runs "%s"', (text) => {
  expect(() => optionsOf([`--runs=${text}`])).toThrow('--runs takes a whole number of at least 0');
});

it('refuses a flag that it does not know', () => {
  expect(() => optionsOf(['--sed', '1'])).toThrow('--sed');
});
