import { afterEach, describe, expect, it } from 'vitest';
import { sameInstant } from '../../src/plan/compare/normalise.ts';

const realZone = process.env['TZ'];
afterEach(() => {
  if (realZone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = realZone;
});

// READ-7
describe('two times', () => {
  it.each([
    ['2026-06-01T12:00:00Z', '2026-06-01T14:00:00+02:00', true],
    ['2026-06-01T12:00:00Z', '2026-06-01T12:00:00.000Z', true],
    ['2026-06-01T12:00:00Z', '2026-06-01T12:00:00', true],
    ['2026-06-01T12:00:00Z', '2026-06-01 12:00', true],
    ['2026-06-01T00:00:00Z', '2026-06-01', true],
    ['2026-06-01T12:00:00Z', '2026-06-01T13:00:00', false],
    ['2026-06-01T12:00:00Z', '2026-06-01T12:00:00+02:00', false],
    ['2026-06-01T12:00:00Z', 'soon', false],
    ['soon', 'soon', true],
  ])('%s and %s: %s, wherever this machine is', (left, right, same) => {
    for (const zone of ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      process.env['TZ'] = zone;
      expect(sameInstant(left, right)).toBe(same);
    }
  });
});
