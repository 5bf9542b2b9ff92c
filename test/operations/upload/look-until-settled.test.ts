import { describe, expect, it } from 'vitest';
import { lookUntilSettled } from '../../../src/operations/upload/look-until-settled.ts';
import { flowClock } from '../../helpers/flow-clock.ts';

const SETTLE_MS = 75_000;

/** The moments of the looks for something of that age that never shows, by the monotonic clock. */
async function looks(jumpMs: number, ageMs: number) {
  const steady = flowClock(1_000_000);
  const clock = { ...steady, now: () => steady.now() + (steady.monotonicMs() > 0 ? jumpMs : 0) };
  const moments: number[] = [];
  const found = await lookUntilSettled(
    { clock, settleMs: SETTLE_MS, interrupted: new AbortController().signal },
    ageMs,
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
    const moments = await looks(jumpMs, 0);
    expect(moments.slice(-2).every((ms) => ms > SETTLE_MS)).toBe(true);
    expect(moments.at(-1)).toBeLessThan(SETTLE_MS + 1000);
  });

  it('is asked for at once where it was sent long ago', async () => {
    expect(await looks(0, 1_000_000)).toEqual([0, 0, 0]);
  });
});
