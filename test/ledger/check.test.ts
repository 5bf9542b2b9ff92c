import { describe, expect, it } from 'vitest';
import type { LedgerHealth } from '../../src/ledger/check.ts';
import type { ActLine } from '../../src/ledger/lines.ts';
import { anIntent, anOutcomeLine, textOf } from '../helpers/ledger-builders.ts';
import { checkLedger } from '../helpers/whole-ledgers.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const HOUR_MS = 3_600_000;

function check(text: string, nowMs = NOON + HOUR_MS): LedgerHealth {
  return checkLedger(text, {
    nowMs,
    address: null,
    settleMs: 75_000,
    compactBefore: '2026-03-01T00:00:00.000Z',
  });
}

/** `error ledger-open 3`, one a finding. */
function found(text: string, nowMs?: number): readonly string[] {
  return check(text, nowMs).findings.map(({ severity, code, line }) => `${severity} ${code} ${line ?? '-'}`);
}

function anAct(more: Partial<ActLine> = {}): ActLine {
  return {
    v: 1,
    type: 'act',
    at: '2026-06-01T12:00:00.000Z',
    run: 'r',
    entry: 'r-1',
    who: 'mia',
    operation: 'chat.send',
    account: 'alice',
    account_id: '101',
    subject: 'chat 7',
    details: {},
    sent_at_ms: NOON,
    ...more,
  };
}

const WHOLE = textOf([anIntent(), anOutcomeLine()]);

describe('a check of the ledger', () => {
  it('finds nothing in one that is in order, or that is not there', () => {
    expect(check(WHOLE)).toMatchObject({ findings: [], unfinished: [], lines: 2, objects: 1 });
    expect(check('')).toMatchObject({ findings: [], lines: 0, bytes: 0, objects: 0 });
  });

  it.each([
    ['what is not JSON', `${WHOLE}nonsense\n`, 'error ledger-damaged 3'],
    ['a mark of a conflict', `<<<<<<< ours\n${WHOLE}`, 'error ledger-damaged 1'],
    [
      'a known kind of line without its members',
      `${WHOLE}{"v":1,"type":"intent"}\n`,
      'error ledger-damaged 3',
    ],
    ['a last line that a crash cut short', `${WHOLE}{"v":1,"at":"2026-`, 'warning ledger-torn 3'],
    ['a kind of line of a later version', `${WHOLE}{"v":1,"type":"promise"}\n`, 'error ledger-later 3'],
    ['a later version of a line', `{"v":2,"type":"intent"}\n${WHOLE}`, 'error ledger-later 1'],
    ['an end without its begin', textOf([anOutcomeLine()]), 'error ledger-orphan 1'],
    ['a line without a time', textOf([anIntent(), anOutcomeLine({ at: 'noon' })]), 'error ledger-time 2'],
    [
      'one entry with two begins',
      textOf([anIntent(), anIntent({ name: 'Other' }), anOutcomeLine()]),
      'error ledger-conflict 2',
    ],
    ['lines that stand twice', WHOLE + WHOLE, 'info ledger-repeated -'],
    [
      'a time to come',
      textOf([anIntent(), anOutcomeLine({ at: '2026-06-01T14:00:00.000Z' })]),
      'warning ledger-future 2',
    ],
    [
      'an end before its begin',
      textOf([anIntent(), anOutcomeLine({ at: '2026-06-01T11:59:00.000Z' })]),
      'warning ledger-backwards 2',
    ],
    ['lines in another order', textOf([anOutcomeLine(), anIntent()]), 'info ledger-order 2'],
    ['a create without a recorded end', textOf([anIntent()]), 'error ledger-open -'],
    ['an act without a recorded end', textOf([anAct()]), 'error ledger-open -'],
  ])('finds %s', (_title, text, finding) => {
    expect(found(text)).toContain(finding);
  });

  it('takes a request that may still be under way for no trouble yet', () => {
    expect(found(textOf([anIntent()]), NOON + 10_000)).toEqual(['warning ledger-open -']);
    expect(found(textOf([anIntent()]), NOON + 75_000)).toEqual(['error ledger-open -']);
  });

  it('takes nothing for over that may be under way by the difference of the clocks that was known then', () => {
    const sentBehind = anIntent({ skew_ms: HOUR_MS });
    expect(found(textOf([sentBehind]), NOON + HOUR_MS + 70_000)).toEqual(['warning ledger-open -']);
    expect(found(textOf([sentBehind]), NOON + HOUR_MS + 75_000)).toEqual(['error ledger-open -']);
    const sentAhead = anIntent({ skew_ms: -HOUR_MS });
    expect(found(textOf([sentAhead]), NOON + 70_000)).toEqual(['warning ledger-open -']);
  });

  it('says by which clock an age is, also where that clock says that it is in the future', () => {
    const [finding] = check(textOf([anIntent()]), NOON - HOUR_MS).findings.filter(
      ({ code }) => code === 'ledger-open',
    );
    expect(finding?.message).toContain("60 min ahead of this machine's clock");
    expect(finding?.severity).toBe('warning');
  });

  it('says of each unconfirmed request how old it is, who sent it, and what to do', () => {
    const lines = [
      anIntent({ who: 'mia' }),
      anIntent({ entry: 'r-2', call: 'unsend', live_id: '7', sent_at_ms: NOON - 50 * HOUR_MS }),
      anAct({
        entry: 'r-3',
        operation: 'payouts.request',
        subject: '100.10 USD',
        sent_at_ms: NOON - HOUR_MS,
      }),
      anAct({ entry: 'r-4', operation: 'new.thing' }),
    ];
    const { unfinished, findings } = check(textOf(lines));
    expect(unfinished.map(({ entry, ageSec }) => [entry, ageSec])).toEqual([
      ['r-2', 51 * 3600],
      ['r-3', 7200],
      ['r-1', 3600],
      ['r-4', 3600],
    ]);
    const words = findings.map(({ message }) => message);
    expect(words.find((word) => word.includes('(entry r-2)'))).toContain(
      'herald campaigns recall 7 --account alice',
    );
    expect(words.find((word) => word.includes('(entry r-3)'))).toMatch(
      /^Unconfirmed: payouts\.request of 100\.10 USD on alice, sent by mia at .*, 2 h ago by this machine's clock /,
    );
    expect(words.find((word) => word.includes('(entry r-1)'))).toContain('herald apply');
    expect(words.find((word) => word.includes('(entry r-4)'))).toContain(
      'Check on the service what happened',
    );
  });

  it('takes an act that someone has looked at for settled', () => {
    const seen = {
      v: 1,
      type: 'acknowledged',
      at: '2026-06-01T12:30:00.000Z',
      run: 's',
      entry: 'r-1',
      who: 'mia',
    } as const;
    expect(found(textOf([anAct(), seen]))).toEqual([]);
  });

  it('survives times that no calendar has', () => {
    expect(check(textOf([anIntent({ sent_at_ms: 1e300 })])).unfinished[0]?.sentAt).toBe('no known time');
  });

  it('counts what a compaction would put away', () => {
    const old = { at: '2026-01-01T00:00:00.000Z' };
    expect(check(textOf([anIntent(old), anOutcomeLine(old)])).finishedLines).toBe(2);
    expect(check(WHOLE).finishedLines).toBe(0);
  });

  it.each([
    ['2025-06-01T00:00:00.000Z', 'To move 2 finished lines to an archive: herald ledger compact'],
    ['2026-06-01T00:00:00.000Z', 'herald ledger compact --keep 30d'],
  ])('warns from 50 MB on, and names what makes it smaller: lines of %s', (at, advice) => {
    const findingsAt = (bytes: number) => {
      const text = textOf([anIntent({ at }), anOutcomeLine({ at })]);
      const options = { address: null, settleMs: 75_000, compactBefore: '2026-03-01T00:00:00.000Z' };
      return checkLedger(text, { ...options, bytes, nowMs: NOON + HOUR_MS }).findings;
    };
    expect(findingsAt(50_000_000)).toMatchObject([{ severity: 'warning', code: 'ledger-large' }]);
    expect(findingsAt(50_000_000)[0]?.message).toContain(advice);
    expect(findingsAt(49_999_999).filter(({ severity }) => severity !== 'info')).toEqual([]);
  });

  it('names many lines by a few of them', () => {
    const orphans = Array.from({ length: 8 }, (_, index) => anOutcomeLine({ entry: `x-${index}` }));
    const [first] = check(textOf(orphans)).findings;
    expect(first?.message).toContain('lines 1, 2, 3, 4, 5 and 3 more');
  });
});
