import { describe, expect, test } from 'vitest';
import { resolveKey } from '../../src/workspace/schedule.ts';
import { fc } from '../helpers/properties.ts';

const resolveTime = (written: string, zone?: string) =>
  resolveKey({ end_at: written, end_at_timezone: zone }, 'end_at');

describe('a written time', () => {
  test.each([
    ['2030-11-05T18:00', 'Europe/Berlin', '2030-11-05T17:00:00Z'],
    ['2030-11-05T18:00Z', undefined, '2030-11-05T18:00:00Z'],
    ['2030-11-05T18:00:00.000Z', undefined, '2030-11-05T18:00:00Z'],
    ['2030-11-05T18:00+02:00', undefined, '2030-11-05T16:00:00Z'],
    ['2030-11-05T18:30+05:30', undefined, '2030-11-05T13:00:00Z'],
    ['2030-11-05T18:00Z', 'Etc/UTC', '2030-11-05T18:00:00Z'],
    ['2030-07-05T18:30', 'Australia/Lord_Howe', '2030-07-05T08:00:00Z'],
    ['2030-11-05T18:10', 'Asia/Kolkata', '2030-11-05T12:40:00Z'],
    ['2030-11-05T18:00:00.001Z', undefined, '2030-11-05T18:00:00.001Z'],
    ['2025-10-26T02:00+02:00', 'Europe/Berlin', '2025-10-26T00:00:00Z'],
    ['2025-10-26T02:00+01:00', 'Europe/Berlin', '2025-10-26T01:00:00Z'],
  ])('%s in %s is %s', (written, zone, utc) => {
    expect(resolveTime(written, zone)).toEqual({ kind: 'time', utc });
  });

  test.each([
    ['2030-11-05', undefined, 'invalid-time'],
    ['2030-11-05 18:00', 'UTC', 'invalid-time'],
    ['2030-02-30T18:00Z', undefined, 'invalid-time'],
    ['2030-11-05T24:00Z', undefined, 'invalid-time'],
    ['2030-11-05T18:00:60Z', undefined, 'invalid-time'],
    ['2030-11-05T18:00+25:00', undefined, 'invalid-time'],
    ['1030-11-05T18:00Z', undefined, 'invalid-time'],
    ['18:00', 'UTC', 'invalid-time'],
    ['2030-11-05T18:00', undefined, 'timezone-missing'],
    ['2030-11-05T18:00', 'Europe/Berlinn', 'unknown-timezone'],
    ['2030-11-05T18:00', '+02:00', 'unknown-timezone'],
    ['2030-11-05T18:00', 'Z', 'unknown-timezone'],
    ['2030-11-05T18:00', '', 'unknown-timezone'],
    // BROADCAST-5
    ['2025-03-30T02:00', 'Europe/Berlin', 'schedule-gap'],
    ['2025-10-26T02:00', 'Europe/Berlin', 'schedule-overlap'],
    ['2025-10-26T02:00+03:00', 'Europe/Berlin', 'offset-contradicts-timezone'],
    ['2030-11-05T18:00+02:00', 'Europe/Berlin', 'offset-contradicts-timezone'],
    ['2030-11-05T18:00Z', 'Europe/Berlin', 'offset-contradicts-timezone'],
    ['2025-03-30T02:00+01:00', 'Europe/Berlin', 'offset-contradicts-timezone'],
  ])('%s in %s is refused as %s', (written, zone, code) => {
    expect(resolveTime(written, zone)).toMatchObject({ kind: 'refused', code });
  });

  test.each([
    ['2025-03-30T02:00', 'Europe/Berlin', 'Write "2025-03-30T01:00" or "2025-03-30T03:00"'],
    ['2025-10-26T02:00', 'Europe/Berlin', '2025-10-26T02:00+02:00 or 2025-10-26T02:00+01:00'],
  ])('%s in %s comes with what to write', (written, zone, advice) => {
    expect(resolveTime(written, zone)).toMatchObject({ message: expect.stringContaining(advice) });
  });
});

test('no text of a time or of a zone makes it throw', () => {
  fc.assert(
    fc.property(fc.string(), fc.option(fc.string(), { nil: undefined }), (written, zone) => {
      expect(['time', 'refused']).toContain(resolveTime(written, zone)?.kind);
    }),
  );
});
