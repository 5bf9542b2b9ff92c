import { describe, expect, it } from 'vitest';
import { NOTHING_OUT_OF_ORDER, type OutOfOrder } from '../../src/ledger/out-of-order.ts';
import { KnownObjects } from '../../src/ledger/known-objects.ts';
import type { LedgerLine } from '../../src/ledger/lines.ts';
import { keepNoEntry, Reduction } from '../../src/ledger/reduction.ts';
import { emptyState } from '../../src/ledger/reduction-state.ts';
import { fc } from '../helpers/properties.ts';
import { doubled } from '../helpers/tangled-ledger.ts';
import { told } from '../helpers/told-reduction.ts';

const HOME = 'https://api.example';

/** Takes lines in as a reader does, with at most so many objects unpacked. */
function reduced(
  lines: readonly LedgerLine[],
  unpacked?: number,
  outOfOrder: OutOfOrder = NOTHING_OUT_OF_ORDER,
): Reduction {
  const reduction = new Reduction(HOME, keepNoEntry, outOfOrder, emptyState(unpacked));
  for (const line of lines) reduction.take(line);
  const found = reduction.foundOutOfOrder();
  return found === null ? reduction : reduced(lines, unpacked, found);
}

describe('objects that are packed while lines are read', () => {
  it.each([1, 2])('say the same as those that stay unpacked, with %i of them unpacked', (unpacked) => {
    fc.assert(
      fc.property(doubled, (lines) => {
        expect(told(reduced(lines, unpacked))).toEqual(told(reduced(lines)));
      }),
      { numRuns: 400 },
    );
  });

  it('say the same where more lines are added after a reading, which stays as it was', () => {
    fc.assert(
      fc.property(doubled, fc.nat(), (lines, cut) => {
        const first = lines.slice(0, cut % (lines.length + 1));
        const reduction = reduced(first, 1);
        const before = reduction.result().knowledge.objects;
        const knewThen = new Map(before);
        for (const line of lines.slice(first.length)) reduction.take(line);
        expect(new Map(before)).toEqual(knewThen);
        if (reduction.foundOutOfOrder() === null) expect(told(reduction)).toEqual(told(reduced(lines)));
      }),
      { numRuns: 400 },
    );
  });

  it('take no more memory for an object that lines speak of again and again', () => {
    const objects = new KnownObjects(null, 1);
    const rounds = 30_000;
    for (let place = 1; place <= rounds * 3; place += 1)
      objects.say(
        {
          account: 'a',
          accountId: '1',
          kind: 'campaign',
          id: String(place % 3),
          parts: { name: `n${place % 3}` },
        },
        { ms: place, place, isByService: true },
      );
    const bytes = [...objects.records(objects.sharedTexts())].reduce((sum, one) => sum + one.bytes.length, 0);
    expect(bytes).toBeLessThan(1_000);
    expect([...objects.snapshot().values()].map(({ name }) => name).toSorted()).toEqual(['n0', 'n1', 'n2']);
    expect(objects.lineOf('1/campaign/0', 'name')).toBe(rounds * 3);
  });
});
