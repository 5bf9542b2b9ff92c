import { describe, expect, it } from 'vitest';
import { lookUntilSettled } from '../../../src/operations/upload/look-until-settled.ts';
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
