import { expect, it } from 'vitest';
import { PackedValues } from '../../src/ledger/packed-values.ts';
import { fc } from '../helpers/properties.ts';

it('packed values are those that were added, in any order of asking', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 2 }), { maxLength: 20 }),
      fc.array(fc.nat({ max: 1_100 }), { maxLength: 20 }),
      (values, asked) => {
        const packed = new PackedValues<readonly string[]>();
        const added = Array.from({ length: 1_000 }, (_, index) => values[index % values.length] ?? []);
        expect(added.map((value) => packed.add(value))).toEqual(added.map((_, index) => index));
        for (const number of asked) expect(packed.get(number)).toEqual(added[number]);
      },
    ),
    { numRuns: 50 },
  );
});
