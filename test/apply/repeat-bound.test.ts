import { expect, it } from 'vitest';
import { RepeatBound } from '../../src/apply/repeat-bound.ts';

const PAUSE = { accountId: '101', kind: 'campaign', liveId: '7', target: 'paused' } as const;

/** A bound with a first copy that has just left, and a clock to move. */
function begun() {
  const clock = { nowMs: 1_000, monotonicMs: () => clock.nowMs };
  const bound = new RepeatBound(clock);
  bound.sends(PAUSE);
  return { clock, bound };
}

it('repeats of a status change end two minutes after its first copy, however many rounds ask for it', () => {
  const { clock, bound } = begun();
  clock.nowMs += 60_000;
  bound.sends(PAUSE);
  clock.nowMs += 59_999;
  expect([bound.leftMs(PAUSE), bound.reasonNotToRepeat(PAUSE), bound.reasonNotToBegin(PAUSE)]).toEqual([
    1,
    null,
    null,
  ]);
  clock.nowMs += 1;
  expect(bound.reasonNotToRepeat(PAUSE)).toContain('within 2 minutes');
});

it('after that a round asks once more, and only the first one', () => {
  const { clock, bound } = begun();
  clock.nowMs += 150_000;
  expect(bound.reasonNotToBegin(PAUSE)).toBeNull();
  expect(bound.reasonNotToBegin(PAUSE)).toContain('within 2 minutes');
});

it('an answer ends the count, and other changes have their own', () => {
  const { clock, bound } = begun();
  clock.nowMs += 150_000;
  const others = [
    { target: 'active' },
    { liveId: '8' },
    { accountId: '102' },
    { kind: 'broadcast' },
  ] as const;
  for (const other of others) expect(bound.reasonNotToRepeat({ ...PAUSE, ...other })).toBeNull();
  bound.isCertain(PAUSE);
  expect(bound.reasonNotToRepeat(PAUSE)).toBeNull();
});
