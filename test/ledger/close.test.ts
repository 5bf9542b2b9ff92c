import { describe, expect, it } from 'vitest';
import { refusalToClose } from '../../src/ledger/close.ts';
import { historyOf } from '../../src/ledger/history.ts';
import type { LedgerLine } from '../../src/ledger/lines.ts';
import { NOTHING_SHOWN } from '../../src/ledger/nothing-shown.ts';
import { parseLedger } from '../../src/ledger/parse.ts';
import { reduceLedger } from '../../src/ledger/reduce.ts';
import { unfinishedIn } from '../../src/ledger/unfinished.ts';
import { anActLine, anIntent, anOutcomeLine, textOf } from '../helpers/ledger-builders.ts';
import { compactLedger } from '../helpers/whole-ledgers.ts';

const SENT_MS = Date.UTC(2026, 5, 1, 12);
const SETTLE_MS = 75_000;

const BEGUN = {
  'a create': anIntent({ wanted: NOTHING_SHOWN }),
  'a create without its content': anIntent(),
  'a status': anIntent({ call: 'status', live_id: '7', target: 'paused' }),
  'a recall': anIntent({ call: 'unsend', live_id: '7' }),
  'a chat message': anActLine(),
  'a label': anActLine({ operation: 'fans.label', subject: 'fan 7' }),
  'a payout': anActLine({ operation: 'payouts.request', subject: '100.00' }),
} as const;
type Begun = keyof typeof BEGUN;

const closing = (more: object = {}): LedgerLine => ({
  v: 1,
  at: '2026-06-02T12:00:00.000Z',
  run: 's',
  type: 'acknowledged',
  entry: 'r-1',
  who: 'nora',
  because: 'sold',
  ...more,
});

describe('an entry may be closed by hand', () => {
  it.each<[Begun, 'in herald.yaml' | 'left', number, string | null]>([
    ['a create', 'left', SETTLE_MS, null],
    ['a create', 'left', SETTLE_MS - 1, 'under-way'],
    ['a create', 'in herald.yaml', SETTLE_MS, 'settled-by-a-run'],
    ['a create without its content', 'in herald.yaml', SETTLE_MS, null],
    ['a create without its content', 'in herald.yaml', SETTLE_MS - 1, 'under-way'],
    ['a status', 'left', SETTLE_MS, null],
    ['a status', 'in herald.yaml', SETTLE_MS, 'settled-by-a-run'],
    ['a recall', 'left', SETTLE_MS, null],
    ['a recall', 'in herald.yaml', SETTLE_MS, null],
    ['a recall', 'in herald.yaml', SETTLE_MS - 1, 'under-way'],
    ['a chat message', 'left', SETTLE_MS, null],
    ['a chat message', 'in herald.yaml', SETTLE_MS, null],
    ['a chat message', 'in herald.yaml', SETTLE_MS - 1, 'under-way'],
    ['a label', 'in herald.yaml', SETTLE_MS, 'settled-by-a-run'],
    ['a payout', 'left', SETTLE_MS, null],
    ['a payout', 'in herald.yaml', SETTLE_MS, 'settled-by-a-run'],
    ['a payout', 'left', -SETTLE_MS, 'under-way'],
  ])('%s, its account %s, %i ms after it was sent: %s', (begun, account, ageMs, refusal) => {
    const nowMs = SENT_MS + ageMs;
    const [one] = unfinishedIn(known([BEGUN[begun]]), { nowMs, settleMs: SETTLE_MS });
    const alias = account === 'left' ? null : 'alice';
    const refused = one && refusalToClose(one, { alias, isOver: ageMs >= SETTLE_MS });
    expect(refused?.code ?? null).toBe(refusal);
  });
});

describe('an entry that was closed by hand', () => {
  it.each(Object.entries(BEGUN))('of %s is open no more, in whatever order the lines stand', (_, begun) => {
    for (const lines of [
      [begun, closing()],
      [closing(), begun],
      [closing(), begun, closing()],
      [
        begun,
        closing(),
        anOutcomeLine({ at: '2026-06-03T12:00:00.000Z', outcome: 'unknown', live_id: null }),
      ],
    ])
      expect(unfinishedIn(known(lines), { nowMs: SENT_MS + 1e9, settleMs: SETTLE_MS })).toEqual([]);
  });

  it('says nothing about what it made', () => {
    const { objects, open } = reduceLedger([BEGUN['a status'], closing()]);
    expect([objects.size, open]).toEqual([0, []]);
  });

  it('gives way to an end that turns up on another branch', () => {
    const lines = [
      anIntent(),
      closing(),
      anOutcomeLine({ at: '2026-06-01T12:00:30.000Z', outcome: 'adopted' }),
    ];
    expect([...reduceLedger(lines).objects.values()]).toMatchObject([{ id: '7', ours: true }]);
    expect(historyOf(lines)).toMatchObject([{ outcome: 'adopted', live_id: '7' }]);
  });

  it.each(Object.entries(BEGUN))('of %s is told with its reason', (_, begun) => {
    expect(historyOf([begun, closing()])).toMatchObject([
      { outcome: 'acknowledged', message: 'sold', ended_at: null },
    ]);
  });

  it('is put away with its lines once all of them are old, and stays closed', () => {
    const text = textOf([anIntent(), closing(), anIntent({ entry: 'r-2', name: 'Other' })]);
    const options = { at: '2026-09-10T00:00:00.000Z', run: 'c', who: 'nora', archive: null };
    const kept = compactLedger(text, { ...options, before: '2026-06-02T00:00:00.000Z' });
    expect(kept.moved, 'its close is not old yet').toEqual([]);
    const put = compactLedger(text, { ...options, before: '2026-07-01T00:00:00.000Z' });
    expect(put.moved.length).toBe(2);
    const after = reduceLedger(parseLedger(put.text).lines);
    expect(after.open.map(({ entry }) => entry)).toEqual(['r-2']);
  });
});

function known(lines: readonly LedgerLine[]) {
  return { knowledge: reduceLedger(lines), lines };
}
