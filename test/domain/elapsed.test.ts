import { expect, it } from 'vitest';
import { elapsedMs, momentOf } from '../../src/domain/elapsed.ts';

it.each([
  ['a machine that slept for an hour, while its monotonic clock stood still', 3_600_000, 0, 3_600_000],
  ['a wall clock that was set back', -3_600_000, 5_000, 5_000],
  ['a wall clock that was set ahead', 3_600_000, 5_000, 3_600_000],
  ['clocks that go on together', 5_000, 5_000, 5_000],
])('what was read before is as old as the older of two clocks says: %s', (_, wallMs, monotonicMs, age) => {
  const time = { wallMs: 1_000, monotonicMs: 10 };
  const clock = { now: () => time.wallMs, monotonicMs: () => time.monotonicMs };
  const before = momentOf(clock);
  time.wallMs += wallMs;
  time.monotonicMs += monotonicMs;
  expect(elapsedMs(clock, before)).toBe(age);
});
