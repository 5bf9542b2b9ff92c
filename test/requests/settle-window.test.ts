import { describe, expect, it } from 'vitest';
import { pollUntilResolved, untilNextLookMs, waitOut } from '../../src/requests/settle-window.ts';
import { flowClock } from '../helpers/flow-clock.ts';

const SETTLE_MS = 75_000;

/** The moments of the looks for something of that age that never shows, by the monotonic clock. */
async function looks(jumpMs: number, ageMs: number) {
  const steady = flowClock(1_000_000);
  const clock = { ...steady, now: () => steady.now() + (steady.monotonicMs() > 0 ? jumpMs : 0) };
  const moments: number[] = [];
  const found = await pollUntilResolved(
    { clock, settleMs: SETTLE_MS, stop: new AbortController().signal },
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
    expect(await looks(0, 1_000_000)).toEqual([0, 0]);
  });
});

describe('the next look at an unconfirmed request (ERROR-9)', () => {
  it.each([
    [0, 2_000],
    [1_999, 1],
    [2_000, 3_000],
    [39_000, 1_000],
    [40_000, 35_000],
    [80_000, 1],
    [-3_600_000, 75_001],
  ])('of an age of %i ms is in %i ms', (ageMs, nextMs) => {
    expect(untilNextLookMs(ageMs, SETTLE_MS)).toBe(nextMs);
  });
});

describe('a wait for the end of the window', () => {
  const wait = async (ageMs: number, stop = new AbortController().signal) => {
    const clock = flowClock(1_000_000);
    const told: number[] = [];
    const isOver = await waitOut(
      { clock, stop, settleMs: SETTLE_MS, onWait: (sec) => told.push(sec) },
      ageMs,
    );
    return { isOver, told, waitedMs: clock.monotonicMs() };
  };

  it.each([
    ['takes what is left of it', 30_000, { isOver: true, told: [45], waitedMs: 45_000 }],
    ['takes no time after it', 75_000, { isOver: true, told: [], waitedMs: 0 }],
    ['takes one window where a clock was set back', -600_000, { isOver: true, told: [75], waitedMs: 75_000 }],
  ])('%s', async (_, ageMs, expected) => {
    expect(await wait(ageMs)).toEqual(expected);
  });

  it('ends with an interrupt, and says so', async () => {
    expect((await wait(0, AbortSignal.abort(new Error('interrupted')))).isOver).toBe(false);
  });
});
