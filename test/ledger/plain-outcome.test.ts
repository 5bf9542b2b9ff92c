import { describe, expect, it } from 'vitest';
import { ledgerLineShape } from '../../src/ledger/lines.ts';
import { plainOutcome } from '../../src/ledger/plain-outcome.ts';
import { anOutcomeLine } from '../helpers/ledger-builders.ts';
import { fc } from '../helpers/properties.ts';

const any = fc.constantFrom<unknown>(
  undefined,
  null,
  '',
  'x',
  0,
  Number.POSITIVE_INFINITY,
  true,
  [],
  ['8'],
  [8],
  {},
);
const members = [
  'v',
  'at',
  'run',
  'type',
  'entry',
  'outcome',
  'live_id',
  'created_by',
  'list_ids',
  'message',
];
const more = [
  'sent_at_ms',
  'unheard_ms',
  'skew_ms',
  'at_skew_ms',
  'origin',
  'for_good',
  'by_hand',
  'unprocessable',
  'later',
];

describe('an end of a request as Herald writes it', () => {
  it('is taken as it stands', () => {
    expect(plainOutcome(anOutcomeLine())).toEqual(anOutcomeLine());
  });

  it('is never taken for another line than the shape makes of it', () => {
    const odd = fc.dictionary(fc.constantFrom(...members, ...more), any, { maxKeys: 3 });
    fc.assert(
      fc.property(odd, (changed) => {
        const value: object = { ...anOutcomeLine(), ...changed };
        const plain = plainOutcome(value);
        if (plain !== null) expect(ledgerLineShape.safeParse(value)).toEqual({ success: true, data: plain });
      }),
      { numRuns: 2_000 },
    );
  });
});
