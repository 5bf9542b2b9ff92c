import { afterEach, describe, expect, it, vi } from 'vitest';
import { Moment, fullInstantMs, passedEnd } from '../../src/domain/time.ts';

afterEach(() => void vi.unstubAllEnvs());

describe('a full instant', () => {
  it.each([
    ['2026-06-01T12:00:00Z', '2026-06-01T12:00:00.000Z'],
    ['2026-06-01T12:00:00.25Z', '2026-06-01T12:00:00.250Z'],
    ['2026-06-01T14:00:00+02:00', '2026-06-01T12:00:00.000Z'],
    ['2026-06-01T14:00:00+0200', '2026-06-01T12:00:00.000Z'],
    ['2026-05-31T23:30-12:30', '2026-06-01T12:00:00.000Z'],
    ['2026-06-01 14:00:00+02:00', '2026-06-01T12:00:00.000Z'],
    ['2026-06-01t12:00:00z', '2026-06-01T12:00:00.000Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ])('is read from %s', (text, instant) => {
    expect(fullInstantMs(text)).toBe(Date.parse(instant));
  });

  it.each([
    [undefined],
    [null],
    [''],
    ['2026-06-01'],
    ['2026-06-01T12:00:00'],
    ['2026-06-01T12:00:00 UTC'],
    ['2026-06-01T12:00:00+99:99'],
    ['2026-06-01T25:00:00Z'],
    ['2026-02-30T12:00:00Z'],
    ['2026-13-01T12:00:00Z'],
    ['Mon, 01 Jun 2026 12:00:00 GMT'],
    ['2026-06-01T12:00:00Z, or later'],
  ])('is not read from %s, in any zone of the machine', (text) => {
    for (const zone of ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      vi.stubEnv('TZ', zone);
      expect(fullInstantMs(text)).toBeNull();
    }
  });
});

const passedAt = (endAt: unknown, now: string) => passedEnd({ end_at: endAt }, Date.parse(now)) !== null;

// CAMPAIGN-5
describe('the end in live rules', () => {
  it.each([
    ['2026-06-01T12:00:00Z', '2026-06-01T11:59:59Z', '2026-06-01T12:00:00Z'],
    ['2026-06-01T14:00:00+02:00', '2026-06-01T11:59:59Z', '2026-06-01T12:00:00Z'],
    ['2026-06-01T12:00:00', '2026-06-01T23:59:59Z', '2026-06-02T00:00:00Z'],
    ['2026-06-01 12:00', '2026-06-01T23:59:59Z', '2026-06-02T00:00:00Z'],
  ])('of %s has not passed at %s, and has at %s, wherever this machine is', (endAt, before, after) => {
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      vi.stubEnv('TZ', zone);
      expect(passedAt(endAt, before)).toBe(false);
      expect(passedAt(endAt, after)).toBe(true);
    }
  });

  it.each([[null], [undefined], [''], ['2026-06-01'], ['soon'], [1_780_315_200]])(
    'has not passed where it is %s',
    (endAt) => {
      expect(passedAt(endAt, '2036-06-01T12:00:00Z')).toBe(false);
    },
  );

  it('has not passed without rules', () => {
    expect(passedEnd(null, 0)).toBeNull();
    expect(passedEnd(undefined, 0)).toBeNull();
  });
});

it.each([
  ['a machine that slept for an hour, while its monotonic clock stood still', 3_600_000, 0, 3_600_000],
  ['a wall clock that was set back', -3_600_000, 5_000, 5_000],
  ['a wall clock that was set ahead', 3_600_000, 5_000, 3_600_000],
  ['clocks that go on together', 5_000, 5_000, 5_000],
])('what was read before is as old as the older of two clocks says: %s', (_, wallMs, monotonicMs, age) => {
  const time = { wallMs: 1_000, monotonicMs: 10 };
  const clock = { now: () => time.wallMs, monotonicMs: () => time.monotonicMs };
  const before = new Moment(clock);
  time.wallMs += wallMs;
  time.monotonicMs += monotonicMs;
  expect(before.elapsedMs(clock)).toBe(age);
});
