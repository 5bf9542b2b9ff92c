import { describe, expect, it } from 'vitest';
import type { LedgerLine } from '../../src/ledger/lines.ts';
import { NOTHING_OUT_OF_ORDER } from '../../src/ledger/out-of-order.ts';
import { inView, withOrigins } from '../../src/ledger/origins.ts';
import type { Reduced } from '../../src/ledger/reduced.ts';
import { Reduction, type KeepEntry } from '../../src/ledger/reduction.ts';
import { handStopsIn } from '../../src/ledger/stops.ts';
import { LateStatusChanges } from '../../src/ledger/late-status-changes.ts';
import { objectKey } from '../../src/domain/knowledge.ts';
import { aLedgerOf } from '../helpers/ledger-arbitrary.ts';
import { plainReduction } from '../helpers/plain-reduction.ts';
import { fc, runs } from '../helpers/properties.ts';
import { doubled } from '../helpers/tangled-ledger.ts';

const HOME = 'https://api.example';
const SIMULATOR = 'http://127.0.0.1:4010';

/** Reads as often as it takes, as a reader does. */
function reduced(lines: readonly LedgerLine[], address = HOME, keeps: KeepEntry = () => false): Reduced {
  let outOfOrder = NOTHING_OUT_OF_ORDER;
  for (let readings = 1; ; readings += 1) {
    const reduction = new Reduction(address, keeps, outOfOrder);
    for (const line of lines) reduction.take(line);
    const found = reduction.foundOutOfOrder();
    if (found === null) return reduction.result();
    if (readings > 5) throw new Error('it never comes to an end');
    outOfOrder = found;
  }
}

describe('a ledger that is taken in line by line', () => {
  it.each([HOME, SIMULATOR])(
    'comes to what all lines at once come to, for a run that works with %s',
    (address) => {
      fc.assert(
        fc.property(doubled, (lines) => {
          const all = inView(withOrigins(lines), address);
          expect(reduced(lines, address).knowledge).toEqual(plainReduction(all));
        }),
        runs(250),
      );
    },
  );

  it('knows every copy of a status change that may still land', () => {
    fc.assert(
      fc.property(doubled, (lines) => {
        const all = inView(withOrigins(lines), HOME);
        const [few, every] = [new LateStatusChanges(reduced(lines).lines), new LateStatusChanges(all)];
        for (const line of all)
          if (line.type === 'intent') {
            const key = objectKey(line.account_id, line.kind, line.live_id ?? '');
            const inTurn = (one: { entry: string }, other: { entry: string }) =>
              one.entry < other.entry ? -1 : 1;
            expect(few.of(key).toSorted(inTurn)).toEqual(every.of(key).toSorted(inTurn));
          }
      }),
      runs(250),
    );
  });

  it('keeps every line of an entry that is asked for', () => {
    fc.assert(
      fc.property(doubled, (lines) => {
        const all = inView(withOrigins(lines), HOME);
        const begins = new Set(all.flatMap((line) => (line.type === 'act' ? [line.entry] : [])));
        const ofActs = (some: readonly LedgerLine[]) =>
          some.filter((line) => 'entry' in line && begins.has(line.entry));
        const kept = reduced(lines, HOME, ({ type }) => type === 'act').lines;
        expect(ofActs(kept)).toEqual(ofActs(all));
      }),
      runs(250),
    );
  });

  it('comes to the same where more lines are added after a look', () => {
    fc.assert(
      fc.property(doubled, fc.nat(), (lines, cut) => {
        const reduction = new Reduction(HOME, () => false, NOTHING_OUT_OF_ORDER);
        const first = lines.slice(0, cut % (lines.length + 1));
        for (const line of first) reduction.take(line);
        const before = reduction.foundOutOfOrder() === null ? reduction.result() : null;
        const knewThen = before === null ? null : new Map(before.knowledge.objects);
        for (const line of lines.slice(first.length)) reduction.take(line);
        if (before === null || reduction.foundOutOfOrder() !== null) return;
        expect(reduction.result().knowledge).toEqual(plainReduction(inView(withOrigins(lines), HOME)));
        expect(before.knowledge.objects).toEqual(knewThen);
      }),
      runs(250),
    );
  });

  it('knows all stops by hand', () => {
    fc.assert(
      fc.property(fc.oneof(doubled, aLedgerOf('a')), (lines) => {
        const stops = reduced(lines).stops.map(({ entry }) => entry);
        const all = handStopsIn(inView(withOrigins(lines), HOME));
        expect(new Set(stops)).toEqual(new Set(all.map(({ entry }) => entry)));
      }),
      runs(250),
    );
  });
});
