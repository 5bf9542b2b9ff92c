import { afterEach, describe, expect, it } from 'vitest';
import { fullInstantMs } from '../../src/domain/full-instant.ts';

const realZone = process.env['TZ'];
afterEach(() => {
  if (realZone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = realZone;
});

describe('a full instant', () => {
  it.each([
    ['2026-06-01T12:00:00Z', '2026-06-01T12:00:00.000Z'],
    ['2026-06-01T12:00:00.25Z', '2026-06-01T12:00:00.250Z'],
    ['2026-06-01T12:00:00.123456Z', '2026-06-01T12:00:00.123Z'],
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
    ['2026-06-01 12:00:00'],
    ['2026-06-01T12:00:00 UTC'],
    ['2026-06-01T12:00:00 CET'],
    ['2026-06-01T12:00:00+99:99'],
    ['2026-06-01T25:00:00Z'],
    ['2026-02-30T12:00:00Z'],
    ['2027-02-29T12:00:00Z'],
    ['2026-13-01T12:00:00Z'],
    ['Mon, 01 Jun 2026 12:00:00 GMT'],
    ['1780315200'],
    ['June 2026'],
    ['2026-06-01T12:00:00Z, or later'],
  ])('is not read from %s, in any zone of the machine', (text) => {
    for (const zone of ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      process.env['TZ'] = zone;
      expect(fullInstantMs(text)).toBeNull();
    }
  });
});
