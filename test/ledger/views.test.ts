import { describe, expect, it } from 'vitest';
import type { LedgerLine } from '../../src/ledger/lines.ts';
import { parseLedger } from '../../src/ledger/parse.ts';
import { inView, withOrigins } from '../../src/ledger/origins.ts';
import { reduceLedger } from '../../src/ledger/reduce.ts';
import { unfinishedIn } from '../../src/ledger/unfinished.ts';
import { viewsIn } from '../../src/ledger/views.ts';
import { accountIdsIn } from '../helpers/account-ids-in.ts';
import { BEGIN, instant } from '../helpers/ledger-arbitrary.ts';
import { anIntent, anOutcomeLine, textOf } from '../helpers/ledger-builders.ts';
import { plainCompaction, viewsOf } from '../helpers/plain-compaction.ts';
import { fc, runs } from '../helpers/properties.ts';
import { tangled } from '../helpers/tangled-ledger.ts';
import { compactLedger } from '../helpers/whole-ledgers.ts';

const DAY_MS = 86_400_000;
const COMPACT = { at: '2028-01-01T00:00:00.000Z', run: 'c', who: 'tester', archive: null };

const cut = fc.integer({ min: 0, max: 700 }).map((days) => instant(BEGIN + days * DAY_MS));
const RUNS = runs(250);

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

  it('know the same account of every alias before and after a compaction', () => {
    fc.assert(
      fc.property(tangled, cut, (lines, before) => {
        const { text } = compactLedger(textOf(lines), { ...COMPACT, before });
        const [drawn, kept] = [withOrigins(lines), parseLedger(text).lines];
        for (const view of viewsOf(drawn))
          expect(accountIdsIn(inView(kept, view))).toEqual(accountIdsIn(inView(drawn, view)));
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

  it('agree about everything that is open, at home and elsewhere', () => {
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
            unfinishedIn({ knowledge: reduceLedger(of), lines: of }, now).filter(({ entry }) =>
              named.has(entry),
            );
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
