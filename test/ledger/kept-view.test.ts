import { describe, expect, it } from 'vitest';
import type { ViewBytes } from '../../src/domain/ledger-store.ts';
import { NOTHING_OUT_OF_ORDER, type OutOfOrder } from '../../src/ledger/out-of-order.ts';
import { viewBytes, viewFrom } from '../../src/ledger/kept-view.ts';
import type { LedgerLine } from '../../src/ledger/lines.ts';
import { keepNoEntry, Reduction } from '../../src/ledger/reduction.ts';
import { anIntent, anOutcomeLine } from '../helpers/ledger-builders.ts';
import { fc, runs } from '../helpers/properties.ts';
import { doubled } from '../helpers/tangled-ledger.ts';
import { told } from '../helpers/told-reduction.ts';

const HOME = 'https://api.example';

/** Takes lines in as a reader does: again from the first one, with care, where lines are out of order. */
function reduced(lines: readonly LedgerLine[], outOfOrder: OutOfOrder = NOTHING_OUT_OF_ORDER): Reduction {
  const reduction = new Reduction(HOME, keepNoEntry, outOfOrder);
  for (const line of lines) reduction.take(line);
  const found = reduction.foundOutOfOrder();
  return found === null ? reduction : reduced(lines, found);
}

/** The same as it goes on from a view, which another process has kept after the first lines. */
function reducedFromView(kept: Reduction, all: readonly LedgerLine[], count: number): Reduction {
  const reduction = throughView(kept);
  for (const line of all.slice(count)) reduction.take(line);
  const found = reduction.foundOutOfOrder();
  return found === null ? reduction : reduced(all, found);
}

function throughView({ state, outOfOrder }: Reduction): Reduction {
  const view = viewFrom(viewOf({ state, outOfOrder, damaged: [], cut: [], otherWorldsLines: 0 }));
  if (view === null) throw new Error('the view cannot be read');
  return new Reduction(HOME, keepNoEntry, view.outOfOrder, view.state);
}

function viewOf(view: Parameters<typeof viewBytes>[0]): ViewBytes {
  return lent(bytesOf(view));
}

function lent(bytes: Uint8Array): ViewBytes {
  return { length: bytes.length, at: (from, length) => bytes.subarray(from, from + length) };
}

function bytesOf(view: Parameters<typeof viewBytes>[0]): Buffer {
  return Buffer.concat([...viewBytes(view)].map((piece) => Buffer.from(piece)));
}

describe('a view that is kept', () => {
  it('comes with the lines after it to what all lines come to, wherever it was kept', () => {
    fc.assert(
      fc.property(doubled, fc.nat(), (lines, cut) => {
        const count = cut % (lines.length + 1);
        const kept = reduced(lines.slice(0, count));
        const before = told(kept);
        expect(told(throughView(kept)), 'as it was kept').toEqual(before);
        expect(told(reducedFromView(kept, lines, count))).toEqual(told(reduced(lines)));
      }),
      runs(150),
    );
  });

  it('can be kept again and again, each time with the lines that were added', () => {
    fc.assert(
      fc.property(doubled, fc.array(fc.nat(), { minLength: 2, maxLength: 4 }), (lines, cuts) => {
        const counts = cuts.map((cut) => cut % (lines.length + 1)).toSorted((left, right) => left - right);
        let [from = 0] = counts;
        let reduction = reduced(lines.slice(0, from));
        for (const count of [...counts, lines.length]) {
          reduction = reducedFromView(reduction, lines.slice(0, count), from);
          from = count;
        }
        expect(told(reduction)).toEqual(told(reduced(lines)));
      }),
      runs(75),
    );
  });

  it('keeps the numbers of lines that cannot be read', () => {
    const { state, outOfOrder } = reduced([anIntent(), anOutcomeLine()]);
    const view = viewFrom(viewOf({ state, outOfOrder, damaged: [3, 5], cut: [7], otherWorldsLines: 2 }));
    expect(view).toMatchObject({ damaged: [3, 5], cut: [7], otherWorldsLines: 2 });
  });

  it('is not used if a part of it is missing', () => {
    const { state, outOfOrder } = reduced([anIntent(), anOutcomeLine()]);
    const bytes = bytesOf({ state, outOfOrder, damaged: [], cut: [], otherWorldsLines: 0 });
    expect(viewFrom(lent(bytes))).not.toBeNull();
    for (const length of [0, 8, 48, bytes.length - 1])
      expect(viewFrom(lent(bytes.subarray(0, length)))).toBeNull();
    expect(viewFrom(lent(Buffer.concat([bytes, bytes])))).toBeNull();
  });
});
