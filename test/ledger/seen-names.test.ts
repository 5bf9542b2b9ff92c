import { describe, expect, it } from 'vitest';
import { SeenNames } from '../../src/ledger/seen-names.ts';
import { fc } from '../helpers/properties.ts';

const names = fc.oneof(
  fc.tuple(fc.constantFrom('r-', 'r', 's-', '-', ''), fc.nat(70)).map(([run, number]) => `${run}${number}`),
  fc.constantFrom(
    'r',
    'r-',
    'r-01',
    'r-1x',
    'r--1',
    'r-1-1',
    'r-999999999',
    'r-1000000000',
    'r-18446744073709551617',
  ),
  fc.string(),
);

/** As a view keeps it. */
function kept(seen: SeenNames): SeenNames {
  return new SeenNames({ size: seen.size, table: () => seen.table.slice() });
}

describe('names that were seen', () => {
  it('are those that were added, also after they were kept', () => {
    fc.assert(
      fc.property(fc.array(names), fc.array(names), fc.nat(100), (added, others, keptAt) => {
        let seen = new SeenNames();
        const plain = new Set<string>();
        for (const [index, name] of added.entries()) {
          if (index === keptAt) seen = kept(seen);
          expect(seen.add(name), name).toBe(!plain.has(name));
          plain.add(name);
        }
        for (const name of [...added, ...others]) {
          expect(seen.has(name), name).toBe(plain.has(name));
          expect(kept(seen).has(name), name).toBe(plain.has(name));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['of one run', (number: number) => `20260601T120000000Z-00000001-${number}`],
    ['of runs with one entry each', (number: number) => `20260601T120000000Z-${number.toString(16)}-1`],
    ['without numbers', (number: number) => `${number} of a few`],
  ])('are known when they are many: %s', (_title, nameOf) => {
    const numbers = Array.from({ length: 20_000 }, (_, number) => number);
    const even = numbers.filter((number) => number % 2 === 0);
    const seen = new SeenNames();
    expect(even.filter((number) => !seen.add(nameOf(number)))).toEqual([]);
    expect(numbers.filter((number) => seen.has(nameOf(number)))).toEqual(even);
  });

  it('of one run take little memory', () => {
    const seen = new SeenNames();
    for (let number = 1; number <= 20_000; number += 1) seen.add(`20260601T120000000Z-00000001-${number}`);
    expect(seen.table.byteLength).toBeLessThan(30_000);
  });
});
