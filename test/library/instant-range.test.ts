import { describe, expect, it } from 'vitest';
import { readRange } from '../../src/library/instant-range.ts';

const NOW = Date.UTC(2026, 10, 21, 9, 30);
const full = (from?: string, to?: string) => readRange({ from, to }, NOW, { isRequired: true });
const refusal = (message: unknown) => expect.objectContaining({ code: 'bad-flag', message });

describe('a range of time', () => {
  it('begins 30 days before the end that was given', () => {
    expect(full(undefined, '2026-06-30T00:00:00Z').from).toBe('2026-05-31T00:00:00.000Z');
  });

  // READ-2
  it('takes a date from its midnight to its last millisecond, in UTC', () => {
    expect(full('2026-11-01', '2026-11-01')).toEqual({
      from: '2026-11-01T00:00:00.000Z',
      to: '2026-11-01T23:59:59.999Z',
    });
  });

  it.each([
    ['2026-11-01T08:00:00Z', '2026-11-01T08:00:00.000Z'],
    ['2026-11-01T08:00:00.125Z', '2026-11-01T08:00:00.125Z'],
    ['2026-11-01T08:00:00+02:00', '2026-11-01T06:00:00.000Z'],
    ['2026-11-01 08:00Z', '2026-11-01T08:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['30d', '2026-10-22T09:30:00.000Z'],
    ['2w', '2026-11-07T09:30:00.000Z'],
    ['12h', '2026-11-20T21:30:00.000Z'],
    ['45m', '2026-11-21T08:45:00.000Z'],
  ])('reads %s as %s', (from, instant) => {
    expect(full(from).from).toBe(instant);
  });

  it.each(['yesterday', '', '30', '3y', '2026-02-30', '2026-11-01T25:00:00Z', '-5d'])(
    'refuses %j as a time',
    (from) => {
      const message = `Cannot read "--from ${from}". Use a date (2026-11-01), a time (\`2026-11-01T08:00:00Z\`) or an age (30d, 12h, 2w).`;
      expect(() => full(from)).toThrow(refusal(message));
    },
  );

  it('asks for the zone of a wall clock', () => {
    const message =
      'Cannot read "--to 2026-11-01T08:00". The time has no zone. Add Z for UTC, or an offset such as +02:00.';
    expect(() => full(undefined, '2026-11-01T08:00')).toThrow(refusal(message));
  });

  it.each([
    ['2026-11-02', '2026-11-01'],
    ['2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'],
    ['2027-01-01', undefined],
    ['1d', '2d'],
  ])('refuses one that holds nothing: %s to %s', (from, to) => {
    const message = expect.stringMatching(
      /^The range is empty: --from \(.*Z\) is not before --to \(.*Z\)\.$/,
    );
    expect(() => full(from, to)).toThrow(refusal(message));
  });
});
