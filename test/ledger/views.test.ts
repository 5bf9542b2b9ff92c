import { describe, expect, it } from 'vitest';
import { compactLedger } from '../../src/ledger/compact.ts';
import type { LedgerLine } from '../../src/ledger/lines.ts';
import { inView, withOrigins } from '../../src/ledger/origins.ts';
import { reduceLedger } from '../../src/ledger/reduce.ts';
import { unfinishedIn } from '../../src/ledger/unfinished.ts';
import { viewsIn } from '../../src/ledger/views.ts';
import { aLedgerOf, BEGIN, instant } from '../helpers/ledger-arbitrary.ts';
import { anIntent, anOutcomeLine, textOf } from '../helpers/ledger-builders.ts';
import { plainCompaction, viewsOf } from '../helpers/plain-compaction.ts';
import { fc } from '../helpers/properties.ts';

const DAY_MS = 86_400_000;
const SIMULATORS = ['http://127.0.0.1:4010', 'http://127.0.0.1:4020', 'simulator:.herald/world.json'];
const COMPACT = { at: '2028-01-01T00:00:00.000Z', run: 'c', who: 'tester', archive: null };

const origin = fc.constantFrom(undefined, undefined, ...SIMULATORS);

interface Touch {
  /** `its run` leaves it with its run. */
  readonly whose: string | undefined;
  readonly renamed: number | null;
  readonly skew: number | null | undefined;
  readonly place: number;
}

/** What is done to a drawn line: whose it is, and whether it is one that only an editor would write. */
const touch: fc.Arbitrary<Touch> = fc.record({
  whose: fc.oneof({ weight: 3, arbitrary: fc.constant('its run') }, origin),
  renamed: fc.option(fc.nat(6), { freq: 8 }),
  skew: fc.constantFrom(undefined, null, 0, 700, -3_600_000),
  place: fc.nat(),
});

/** A ledger of several services in which everything may be about everything, in any order, and edited. */
const tangled: fc.Arbitrary<readonly LedgerLine[]> = fc
  .tuple(fc.array(fc.tuple(aLedgerOf('r'), origin), { minLength: 1, maxLength: 4 }), fc.infiniteStream(touch))
  .map(([ledgers, dice]) =>
    ledgers
      .flatMap(([lines, whose], ledger) =>
        lines.map((line) => touched(line, `${ledger}`, whose, dice.next().value as Touch)),
      )
      .toSorted((left, right) => left.place - right.place)
      .map(({ line }) => line),
  );

function touched(line: LedgerLine, ledger: string, runs: string | undefined, { whose, ...more }: Touch) {
  const about = whose === 'its run' ? runs : whose;
  const { renamed, skew, place } = more;
  const run = `${ledger}-${about ?? ''}`;
  const named = { ...line, run, ...(about === undefined ? {} : { origin: about }) };
  if (!('entry' in named)) return { place, line: named };
  // Two acts of one name are told by the last of them, which each reader takes as it likes.
  const entry = renamed === null || line.type === 'act' ? `${ledger}${named.entry}` : `0r-${renamed}`;
  return { place, line: { ...named, entry, ...(skew === undefined ? {} : { skew_ms: skew }) } };
}

const cut = fc.integer({ min: 0, max: 700 }).map((days) => instant(BEGIN + days * DAY_MS));
const RUNS = { numRuns: 1_500 };

describe('the views of a ledger of several services', () => {
  it('decide of every compaction what reading all lines for each service decides', () => {
    fc.assert(
      fc.property(tangled, cut, (lines, before) => {
        const options = { ...COMPACT, before };
        expect(compactLedger(textOf(lines), options)).toMatchObject(plainCompaction(textOf(lines), options));
      }),
      RUNS,
    );
  });

  it('decide so, too, where an entry was begun by both, and its end says something else to each', () => {
    const at = (minute: number) => ({ at: instant(BEGIN + minute * 60_000) });
    const there = { run: 's', origin: 'http://127.0.0.1:4010' };
    const about = { account: 'alice', account_id: '101', kind: 'campaign', name: 'Welcome' } as const;
    const said = {
      v: 1,
      run: 'r',
      type: 'protection',
      ...about,
      live_id: '7',
      who: 'x',
      protect: true,
    } as const;
    const text = textOf([
      anIntent({ ...at(1), ...there, account_id: '102' }),
      anIntent({ ...at(0), protect: true }),
      { ...said, ...at(2), ...there },
      { ...said, ...at(3) },
      anOutcomeLine(at(4)),
    ]);
    const options = { ...COMPACT, before: instant(BEGIN + DAY_MS) };
    expect(compactLedger(text, options)).toMatchObject(plainCompaction(text, options));
  });

  it('tell the same of everything that is open, at home and elsewhere', () => {
    fc.assert(
      fc.property(tangled, (drawn) => {
        const lines = withOrigins(drawn);
        const openIn = (all: readonly LedgerLine[]) => reduceLedger(all).open.map(({ entry }) => entry);
        const all = new Set(viewsOf(lines).flatMap((view) => openIn(inView(lines, view))));
        expect(new Set(viewsIn(lines).flatMap((view) => openIn(view.lines)))).toEqual(all);
        for (const { name, lines: few } of viewsIn(lines).slice(1)) {
          const named = new Set(
            lines.flatMap((line) => ('entry' in line && line.origin === name ? [line.entry] : [])),
          );
          const now = { nowMs: BEGIN + 900 * DAY_MS, settleMs: 75_000 };
          const open = (of: readonly LedgerLine[]) =>
            unfinishedIn(of, now).filter(({ entry }) => named.has(entry));
          expect(open(few)).toEqual(open(inView(lines, name)));
        }
      }),
      RUNS,
    );
  });

  it.each([1, 10, 100])('are together about as long as the ledger, with %i simulators in it', (number) => {
    const lines = Array.from({ length: 4_000 }, (_, index): readonly LedgerLine[] => {
      const about = index % 2 === 0 ? {} : { origin: `http://127.0.0.1:${4000 + (index % (2 * number))}` };
      const own = { ...about, entry: `r-${index}`, run: `r-${index}`, at: instant(BEGIN + index * 60_000) };
      const change = { call: 'status', target: 'paused', live_id: String(index % 50) } as const;
      return [anIntent({ ...own, ...change }), anOutcomeLine({ ...own, live_id: change.live_id })];
    }).flat();
    const views = viewsIn(lines);
    expect(views.length).toBe(number + 1);
    const total = views.reduce((sum, view) => sum + view.lines.length, 0);
    expect(total).toBeLessThan(3 * lines.length);
  });
});
