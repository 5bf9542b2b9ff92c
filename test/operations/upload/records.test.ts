import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/api/client.ts';
import { kindOfRecord, lookUntilSettled, recordsOfKey } from '../../../src/operations/upload/records.ts';
import { flowClock } from '../../helpers/flow-clock.ts';

const SETTLE_MS = 75_000;

/** The moments of the looks for something that never shows, by the monotonic clock. */
async function looks(jumpAtMs: number, jumpMs: number, left: { atMs: number; afterMs: number | null }) {
  const steady = flowClock(1_000_000);
  const clock = {
    ...steady,
    now: () => steady.now() + (steady.monotonicMs() >= jumpAtMs ? jumpMs : 0),
  };
  const moments: number[] = [];
  const found = await lookUntilSettled(
    { clock, settleMs: SETTLE_MS, interrupted: new AbortController().signal },
    left,
    async () => {
      moments.push(clock.monotonicMs());
      return null;
    },
  );
  expect(found).toBeNull();
  return moments;
}

describe('absence', () => {
  it.each([
    ['stands still', 0],
    ['jumps an hour ahead', 3_600_000],
    ['jumps an hour back', -3_600_000],
  ])('counts only after the window, when the wall clock %s while it is waited for', async (_, jumpMs) => {
    const moments = await looks(1, jumpMs, { atMs: 1_000_000, afterMs: 0 });
    expect(moments.slice(-2).every((ms) => ms > SETTLE_MS)).toBe(true);
    expect(moments.at(-1)).toBeLessThan(SETTLE_MS + 1000);
  });

  it('counts only after the window, when the wall clock jumped before the first look', async () => {
    const moments = await looks(0, 3_600_000, { atMs: 1_000_000, afterMs: 0 });
    expect(moments.slice(-2).every((ms) => ms > SETTLE_MS)).toBe(true);
  });

  it('is asked for at once where an earlier run sent it long ago', async () => {
    expect(await looks(0, 0, { atMs: 0, afterMs: null })).toEqual([0, 0, 0]);
  });

  it('waits the whole window where the ledger of another machine is ahead of this clock', async () => {
    const moments = await looks(0, 0, { atMs: 9_000_000, afterMs: null });
    expect(moments.at(-1)).toBeGreaterThan(SETTLE_MS);
  });
});

describe('a record of our key', () => {
  const record = { id: 'u', metadata: { key: 'k' } };
  it.each([
    ['a media', { ...record, media_id: '7' }, 'export'],
    ['an export type', { ...record, status: null, metadata: { key: 'k', export_type: 'post' } }, 'export'],
    ['a later state', { ...record, status: 'exporting' }, 'export'],
    ['only the state that an export begins with', { ...record, status: 'uploaded' }, 'perhaps'],
    ['no status', { ...record, status: null }, 'start'],
    ['a status that nobody named', { ...record, status: 'lapsed' }, 'start'],
  ] as const)('with %s is known for what it is', (_, one, kind) => {
    expect(kindOfRecord(one)).toBe(kind);
  });
});

describe('several records of one key', () => {
  it('stand in the order of their ages, behind them those that came to nothing', async () => {
    const record = (id: string, status: string, key = 'k') => ({
      id,
      status,
      metadata: { key },
      created_at: `2026-06-01T12:00:0${id}.000Z`,
    });
    const items = [
      record('4', 'processing'),
      record('1', 'failed'),
      record('3', 'exported'),
      record('2', 'unprocessable'),
      record('0', 'exported', 'of another key'),
    ];
    const reply = { items, total: items.length };
    // Nothing else is used of it.
    const client = { callLoosely: () => Promise.resolve({ kind: 'done', reply }) } as unknown as Client;
    const found = await recordsOfKey(client, '101', 'k');
    expect(found.map(({ id }) => id)).toEqual(['3', '4', '1', '2']);
  });
});
