import { describe, expect, it } from 'vitest';
import type { LedgerLine } from '../../src/ledger/lines.ts';
import { NOTHING_OUT_OF_ORDER } from '../../src/ledger/out-of-order.ts';
import { parseLine } from '../../src/ledger/parse.ts';
import { keepNoEntry, Reduction } from '../../src/ledger/reduction.ts';
import { withUncertainStops } from '../../src/ledger/uncertain-stops.ts';
import { anIntent, anOutcomeLine, textOf } from '../helpers/ledger-builders.ts';
import { fc, runs } from '../helpers/properties.ts';
import { compactLedger } from '../helpers/whole-ledgers.ts';

const BEGIN = Date.UTC(2025, 5, 1, 12);
const HOUR = 3_600_000;

function read(text: string) {
  let outOfOrder = NOTHING_OUT_OF_ORDER;
  for (;;) {
    const reduction = new Reduction('', keepNoEntry, outOfOrder);
    text.split('\n').forEach((raw, index) => {
      const line = parseLine(raw);
      if (line !== null) reduction.take(line, index + 1);
    });
    const found = reduction.foundOutOfOrder();
    if (found === null) return reduction.result();
    outOfOrder = found;
  }
}
function stopsIn(text: string) {
  const { objects, open } = withUncertainStops(read(text));
  return {
    objects: [...objects]
      .map(([key, { pausedFor, pausedAtMs, ours, isProtected }]) => [
        key,
        pausedFor,
        pausedAtMs,
        ours,
        isProtected,
      ])
      .toSorted(),
    open: open.map(({ entry }) => entry).toSorted(),
  };
}

const one = fc.record({
  gap: fc.oneof(
    fc.integer({ min: 1, max: 40 }).map((hours) => hours * HOUR),
    fc.integer({ min: 0, max: 9_000 }),
  ),
  skew: fc.constantFrom<number | null | undefined>(undefined, null, 0, 1_500, -1_500, 90_000, -90_000),
  ahead: fc.constantFrom(0, 0, 5 * HOUR, -5 * HOUR),
  target: fc.constantFrom('paused', 'active', 'archived'),
  purpose: fc.constantFrom('declared', 'replace', 'by_hand', 'by_hand'),
  end: fc.constantFrom('done', 'done', 'adopted', 'unknown', 'refused', 'none'),
  id: fc.constantFrom('1', '2'),
  late: fc.oneof(fc.integer({ min: 1, max: 3 * 3_600 }), fc.integer({ min: 0, max: 9 })),
  byHand: fc.constantFrom(undefined, undefined, true),
  kind: fc.constantFrom('status', 'status', 'status', 'seen', 'protection'),
});
function ledger(
  all: readonly (typeof one extends fc.Arbitrary<infer T> ? T : never)[],
  prefix: string,
): LedgerLine[] {
  let ms = BEGIN;
  return all.flatMap((drawn, index): LedgerLine[] => {
    ms += drawn.gap;
    const wall = ms + drawn.ahead;
    const skews = drawn.skew === undefined ? {} : { skew_ms: drawn.skew };
    const entry = `${prefix}-${index}`;
    const at = new Date(wall).toISOString();
    const base = {
      v: 1,
      run: prefix,
      account: 'alice',
      account_id: '101',
      kind: 'campaign',
      name: 'Welcome',
      live_id: drawn.id,
      at,
    } as const;
    if (drawn.kind === 'seen')
      return [{ ...base, type: 'seen', ...(drawn.skew === undefined ? {} : { at_skew_ms: drawn.skew }) }];
    if (drawn.kind === 'protection')
      return [{ ...base, type: 'protection', who: 't', protect: drawn.byHand === true }];
    const intent = anIntent({
      run: prefix,
      entry,
      at,
      sent_at_ms: wall,
      call: 'status',
      target: drawn.target,
      purpose: drawn.purpose,
      live_id: drawn.id,
      content: null,
      hidden: null,
      ...skews,
    });
    if (drawn.end === 'none') return [intent];
    const endAt = wall + drawn.late * 1000;
    return [
      intent,
      anOutcomeLine({
        run: prefix,
        entry,
        at: new Date(endAt).toISOString(),
        outcome: drawn.end,
        live_id: drawn.id,
        created_by: null,
        list_ids: null,
        sent_at_ms: wall,
        ...skews,
        ...(drawn.byHand === undefined ? {} : { by_hand: drawn.byHand }),
      }),
    ];
  });
}

describe('stops by hand of an uncertain time', () => {
  it('are the same after a compaction, and after a merge of both', () => {
    fc.assert(
      fc.property(
        fc.array(one, { maxLength: 10 }),
        fc.integer({ min: 0, max: 500 }),
        fc.nat(),
        fc.boolean(),
        (all, hours, seed, isShuffled) => {
          const lines = ledger(all, 'r');
          if (isShuffled)
            lines.sort(
              (a, b) =>
                ((JSON.stringify(a).length * 31 + seed) % 7) - ((JSON.stringify(b).length * 31 + seed) % 7),
            );
          const text = textOf(lines);
          const { text: compacted } = compactLedger(text, {
            before: new Date(BEGIN + hours * HOUR).toISOString(),
            at: '2028-01-01T00:00:00.000Z',
            run: 'c',
            who: 't',
            archive: 'a',
          });
          expect(stopsIn(compacted)).toEqual(stopsIn(text));
          expect(stopsIn(compacted + text)).toEqual(stopsIn(text));
          expect(stopsIn(text + compacted)).toEqual(stopsIn(text));
        },
      ),
      runs(400),
    );
  }, 60_000);
});
