import { describe, expect, it } from 'vitest';
import type { LedgerLine } from '../../src/ledger/lines.ts';
import { reduceLedger } from '../../src/ledger/reduce.ts';
import { BEGIN, instant } from '../helpers/ledger-arbitrary.ts';
import { anIntent, anOutcomeLine } from '../helpers/ledger-builders.ts';
import { plainReduction } from '../helpers/plain-reduction.ts';
import { fc, runs } from '../helpers/properties.ts';
import { tangled } from '../helpers/tangled-ledger.ts';

const CHANGES = 60_000;

/** One campaign that is paused and switched on again and again; `outcomeOf` says how each change ended. */
function switched(outcomeOf: (index: number) => 'done' | 'unknown'): readonly LedgerLine[] {
  return Array.from({ length: CHANGES }, (_, index): readonly LedgerLine[] => {
    const ms = BEGIN + index * 60_000;
    const own = { entry: `r-${index}`, at: instant(ms), live_id: '7' };
    const target = index % 2 === 0 ? 'paused' : 'active';
    return [
      anIntent({ ...own, call: 'status', target, sent_at_ms: ms }),
      anOutcomeLine({ ...own, outcome: outcomeOf(index) }),
    ];
  }).flat();
}

describe('what the lines of a ledger amount to', () => {
  it('is what reading all of them at once and in order comes to', () => {
    fc.assert(
      fc.property(tangled, (lines) => {
        expect(reduceLedger(lines)).toEqual(plainReduction(lines));
      }),
      runs(250),
    );
  });

  // With the square of the changes each of these takes minutes.
  it('takes no longer for each change the more of them one object has seen', () => {
    expect(reduceLedger(switched(() => 'done')).open).toEqual([]);
  });

  it('takes no longer either where every other change was never heard of', () => {
    const { open } = reduceLedger(switched((index) => (index % 2 === 0 ? 'unknown' : 'done')));
    expect(open).toEqual([]);
  });
});
