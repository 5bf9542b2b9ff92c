import { afterEach, describe, expect, it } from 'vitest';
import { passedEnd } from '../../src/domain/passed-end.ts';

const realZone = process.env['TZ'];
afterEach(() => {
  if (realZone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = realZone;
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
      process.env['TZ'] = zone;
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
