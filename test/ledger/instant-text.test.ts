import { describe, expect, it } from 'vitest';
import { instantOf } from '../../src/ledger/instant-text.ts';
import { fc } from '../helpers/properties.ts';

/** As Herald writes it, with a few characters that are others. */
const instants = fc
  .tuple(
    fc.integer({ min: -8.64e15, max: 8.64e15 }),
    fc.array(fc.tuple(fc.nat(30), fc.constantFrom(...'0 1 2 3 9 - : . T Z t +'.split(' '), ' ', '')), {
      maxLength: 2,
    }),
  )
  .map(([ms, odd]) =>
    odd.reduce((text, [at, one]) => text.slice(0, at) + one + text.slice(at + 1), new Date(ms).toISOString()),
  );
const near = fc.integer({ min: 0, max: 4e9 }).map((seconds) => new Date(seconds * 1000).toISOString());

describe('the instant of a line', () => {
  it('is what Date.parse says of it', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(instants, near), { maxLength: 4 }), (texts) => {
        for (const text of texts) expect(instantOf(text)).toBe(Date.parse(text));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each(['2026-02-30T12:00:00.000Z', '2026-13-01T12:00:00.000Z', '2026-06-01T24:00:00.000Z', '', 'now'])(
    'is so, too, of %j',
    (text) => {
      expect(instantOf(text)).toBe(Date.parse(text));
    },
  );
});
