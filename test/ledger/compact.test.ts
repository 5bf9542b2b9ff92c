import { describe, expect, it } from 'vitest';
import { actsOf } from '../../src/ledger/acts.ts';
import { isOpenAct } from '../../src/ledger/keep.ts';
import type { LedgerLine } from '../../src/ledger/lines.ts';
import { sentAtServiceMs } from '../../src/ledger/order.ts';
import { parseLedger } from '../../src/ledger/parse.ts';
import { accountIdsIn } from '../helpers/account-ids-in.ts';
import { mediaOnRecord } from '../../src/ledger/media-on-record.ts';
import { reduceLedger } from '../../src/ledger/reduce.ts';
import { LateStatusChanges } from '../../src/ledger/late-status-changes.ts';
import { knownPayouts } from '../../src/operations/payout-acts.ts';
import { pastExports } from '../../src/operations/upload/past-exports.ts';
import { aLedgerOf, BEGIN, instant } from '../helpers/ledger-arbitrary.ts';
import { anIntent, anOutcomeLine, textOf } from '../helpers/ledger-builders.ts';
import { fc, runs } from '../helpers/properties.ts';
import { type CompactedText, compactLedger } from '../helpers/whole-ledgers.ts';

const DAY_MS = 86_400_000;

function compact(text: string, before: string): CompactedText {
  return compactLedger(text, {
    before,
    at: '2028-01-01T00:00:00.000Z',
    run: 'c',
    who: 'tester',
    archive: '.herald/ledger-archive-2028-01-01.ndjson',
  });
}

function linesOf(text: string): readonly LedgerLine[] {
  const { lines, damaged } = parseLedger(text);
  expect(damaged).toEqual([]);
  return lines;
}

/** Everything that any later run is decided by. */
function decisive(lines: readonly LedgerLine[], before: string) {
  const { objects, creators, open } = reduceLedger(lines);
  const unconfirmed = new LateStatusChanges(lines);
  const account = { alias: 'x', accountId: '0', platform: 'p', platformAccountId: 'p1' };
  const { open: pending, taken } = knownPayouts(lines, account);
  return {
    objects: Object.fromEntries([...objects].toSorted(([left], [right]) => (left < right ? -1 : 1))),
    creators: [...creators].toSorted(),
    accountIds: accountIdsIn(lines),
    open,
    openActs: actsOf(lines).filter(isOpenAct),
    exports: ['101', '102'].map((id) => pastExports(lines, id)),
    media: [...mediaOnRecord(lines)].toSorted(),
    payouts: { pending, taken: pending.length > 0 ? taken : [] },
    // One that left before the cut cannot land any more, by months.
    unconfirmed: [...objects.keys()]
      .toSorted()
      .map((key) => unconfirmed.of(key).filter((left) => sentAtServiceMs(left) >= Date.parse(before))),
  };
}

const cut = fc.integer({ min: 0, max: 700 }).map((days) => instant(BEGIN + days * DAY_MS));
const RUNS = runs(200);

describe('a compacted ledger', () => {
  it('amounts to the same for everything that decides', () => {
    fc.assert(
      fc.property(aLedgerOf('r'), cut, fc.infiniteStream(fc.nat()), (lines, before, dice) => {
        const merged = shuffled(lines, dice);
        const { text } = compact(textOf(merged), before);
        expect(decisive(linesOf(text), before)).toEqual(decisive(merged, before));
      }),
      RUNS,
    );
  });

  it('loses nothing: what leaves and what stays are all lines that there were', () => {
    fc.assert(
      fc.property(aLedgerOf('r'), cut, (lines, before) => {
        const original = textOf(lines)
          .split('\n')
          .filter((line) => line !== '');
        const { text, moved } = compact(textOf(lines), before);
        const stays = text.split('\n').filter((line) => original.includes(line));
        expect([...moved, ...stays].toSorted()).toEqual(original.toSorted());
      }),
      RUNS,
    );
  });

  it('is not compacted any further by a second compaction', () => {
    fc.assert(
      fc.property(aLedgerOf('r'), cut, (lines, before) => {
        const { text } = compact(textOf(lines), before);
        const again = compact(text, before);
        expect(again.text).toBe(text);
        expect(again.moved).toEqual([]);
      }),
      RUNS,
    );
  });

  it('amounts to the same when it is compacted in two steps', () => {
    fc.assert(
      fc.property(aLedgerOf('r'), cut, cut, (lines, one, two) => {
        const [before, later] = [one, two].toSorted();
        const first = compact(textOf(lines), before ?? one).text;
        const { text } = compact(first, later ?? two);
        expect(decisive(linesOf(text), later ?? two)).toEqual(decisive(lines, later ?? two));
      }),
      RUNS,
    );
  });
});

describe('a compacted ledger that is merged with a branch that was not compacted', () => {
  const branches = [
    ['the old lines stay away', (ours: string, _old: string, theirs: string) => ours + theirs],
    ['the old lines come back behind', (ours: string, old: string, theirs: string) => ours + old + theirs],
    ['the old lines come back before', (ours: string, old: string, theirs: string) => old + theirs + ours],
    [
      'some of the old lines come back',
      (ours: string, old: string, theirs: string) => ours + tailOf(old) + theirs,
    ],
  ] as const;

  it.each(branches)('amounts to the same: %s', (_title, merge) => {
    fc.assert(
      fc.property(aLedgerOf('r'), aLedgerOf('t', BEGIN + 800 * DAY_MS), cut, (lines, theirs, before) => {
        const old = textOf(lines);
        const ours = compact(old, before).text;
        const merged = linesOf(merge(ours, old, textOf(theirs)));
        const { payouts, ...rest } = decisive(merged, before);
        const { payouts: expected, ...others } = decisive([...lines, ...theirs], before);
        expect(rest).toEqual(others);
        // The invoices of before it began stand in the baseline of an open request itself.
        expect(payouts.pending).toEqual(expected.pending);
      }),
      RUNS,
    );
  });

  it('knows the same of every object, and never loses an open entry, when both went on side by side', () => {
    fc.assert(
      fc.property(aLedgerOf('r'), aLedgerOf('t', BEGIN + 3), cut, (lines, theirs, before) => {
        const merged = linesOf(compact(textOf(lines), before).text + textOf(theirs));
        const together = decisive([...lines, ...theirs], before);
        const { objects, creators, open } = decisive(merged, before);
        expect({ objects, creators }).toEqual({ objects: together.objects, creators: together.creators });
        const stillOpen = open.map(({ entry }) => entry);
        for (const { entry } of together.open) expect(stillOpen).toContain(entry);
      }),
      RUNS,
    );
  });
});

describe('two branches that were compacted each', () => {
  it('amount to the same, merged by union, whatever was put away on either', () => {
    const late = BEGIN + 800 * DAY_MS;
    fc.assert(
      fc.property(aLedgerOf('r'), aLedgerOf('o', late), aLedgerOf('t', late + 5), cut, cut, (...drawn) => {
        const [base, ours, theirs, one, two] = drawn;
        const sides = [compact(textOf([...base, ...ours]), one), compact(textOf([...base, ...theirs]), two)];
        const [left = [], right = []] = sides.map(({ text }) => text.trimEnd().split('\n'));
        const union = [...left, ...right.filter((line) => !left.includes(line))].filter(
          (line) => line !== '',
        );
        const merged = linesOf(union.map((line) => `${line}\n`).join(''));
        const last = one > two ? one : two;
        const { payouts: _, ...found } = decisive(merged, last);
        const { payouts: __, ...expected } = decisive([...base, ...ours, ...theirs], last);
        expect(found).toEqual(expected);
      }),
      RUNS,
    );
  });
});

describe('what a compaction puts away', () => {
  const old = { at: '2025-01-01T00:00:00.000Z' };
  const before = '2026-01-01T00:00:00.000Z';

  it('is the content of settled creates; what is known of their objects stays', () => {
    const content = {
      trigger: 't',
      action: 'send_message',
      audience_filters: [],
      messages: [{ text: 'Hey' }],
    };
    const intent = anIntent({ ...old, wanted: { content, scheduled_at: null } });
    const { text, moved } = compact(textOf([intent, anOutcomeLine(old)]), before);
    expect(moved.length).toBe(2);
    expect(text).not.toContain('Hey');
    expect(text.split('\n').map((line) => (line === '' ? '' : JSON.parse(line).type))).toEqual([
      'compacted',
      'compacted',
      'known',
      '',
    ]);
  });

  it('is not the account of an alias: a later use holds, though the outcome before it came last', () => {
    const at = (day: number) => ({ at: `2025-01-0${day}T00:00:00.000Z` });
    const seen = { v: 1, run: 'r', type: 'seen', kind: 'campaign', name: 'Welcome', live_id: '8' } as const;
    const lines = [
      anIntent(at(1)),
      { ...seen, ...at(2), account: 'alice', account_id: '102' },
      anOutcomeLine(at(3)),
    ];
    const { text } = compact(textOf(lines), before);
    expect(accountIdsIn(linesOf(text))).toEqual([['alice', '102']]);
    expect(text).toContain('"tells_account":false');
  });

  it('is read by earlier versions: they know all kinds of lines, and each has what they ask for', () => {
    const { text } = compact(textOf([anIntent(old), anOutcomeLine(old)]), before);
    const mark = { v: 1, type: 'compacted', who: 'tester', before, creators: [] };
    expect(JSON.parse(text.split('\n')[1] ?? '')).toEqual({
      ...mark,
      ...old,
      run: 'r',
      archive: '.herald/ledger-archive-2028-01-01.ndjson',
      account: 'alice',
      account_id: '101',
    });
  });

  it('is never an entry without a recorded end, and never a line of this year', () => {
    const open = anIntent({ ...old, entry: 'open' });
    const recent = anIntent({ entry: 'recent', at: before });
    const { text, moved } = compact(
      textOf([open, recent, anOutcomeLine({ entry: 'recent', at: before })]),
      before,
    );
    expect(moved).toEqual([]);
    expect(text).toContain('"open"');
  });

  it('is never what ends an unconfirmed change that stays', () => {
    const pause = { call: 'status', live_id: '7', target: 'paused', purpose: 'declared' } as const;
    const later = { at: '2025-01-02T00:00:00.000Z', sent_at_ms: Date.UTC(2025, 0, 2) };
    const lines = [
      anIntent({ ...pause, ...old, sent_at_ms: Date.UTC(2025, 0, 1) }),
      anIntent({ ...pause, ...later, entry: 'r-2' }),
      anOutcomeLine({ entry: 'r-2', at: later.at }),
      // A run of this year looked once more, and still could not tell.
      anOutcomeLine({ at: before, outcome: 'unknown', sent_at_ms: Date.UTC(2025, 0, 1) }),
    ];
    expect(reduceLedger(lines).open).toEqual([]);
    expect(reduceLedger(linesOf(compact(textOf(lines), before).text)).open).toEqual([]);
  });

  it('is never a line that a later version of Herald wrote, nor an outcome that may be its', () => {
    const later = '{"v":1,"type":"promise","at":"2024-01-01T00:00:00.000Z","entry":"x"}\n';
    const outcome = textOf([anOutcomeLine({ ...old, entry: 'x' })]);
    expect(compact(later + outcome, before).text).toBe(later + outcome);
    expect(compact(outcome, before).moved.length, 'without such a line it belongs to nothing').toBe(1);
  });

  it('is a line that stands twice, without another copy in the archive', () => {
    const text = textOf([anIntent({ at: before }), anIntent({ at: before })]);
    const compacted = compact(text, before);
    expect(compacted).toMatchObject({ moved: [], repeated: 1, linesBefore: 2, linesAfter: 1 });
    expect(compacted.text).toBe(textOf([anIntent({ at: before })]));
  });
});

function shuffled(lines: readonly LedgerLine[], dice: Iterator<number>): readonly LedgerLine[] {
  const keyed = lines.map((line) => ({ line, key: Number(dice.next().value) }));
  return keyed.toSorted((left, right) => left.key - right.key).map(({ line }) => line);
}

/** What a conflict at the end of the file brings back: whole entries, because an end stands behind its begin. */
function tailOf(text: string): string {
  const lines = linesOf(text);
  const from = Math.floor(lines.length / 2);
  const begun = new Set(lines.slice(from).flatMap((line) => ('entry' in line ? [line.entry] : [])));
  return textOf(lines.filter((line, index) => index >= from || ('entry' in line && begun.has(line.entry))));
}
