import { describe, expect, it } from 'vitest';
import { policyFindings } from '../../helpers/policy-builders.ts';
import { aBroadcast, aLiveBroadcast } from '../../helpers/resource-builders.ts';

describe('max_broadcasts_per_day', () => {
  const rule = (limit: number, timezone = 'UTC') => ({
    max_broadcasts_per_day: { limit, timezone, level: 'deny' } as const,
  });
  const at = (hour: string, name = hour, account = 'alice') =>
    aBroadcast({ name, account, scheduledAtUtc: `2026-06-0${hour}:00:00Z` });
  const blamed = (...args: Parameters<typeof policyFindings>) =>
    policyFindings(...args).map(({ address }) => address);

  it('blames the latest beyond the limit, on each account and day', () => {
    const declared = [
      at('2T20', 'late'),
      at('2T10', 'early'),
      at('2T12', 'noon'),
      at('3T10'),
      at('2T11', 'b', 'bob'),
    ];
    expect(blamed(declared, rule(2))).toEqual(['alice/broadcast/late']);
    expect(blamed(declared, rule(3))).toEqual([]);
    expect(blamed(declared, rule(0))).toHaveLength(5);
  });

  it('counts the days of its zone', () => {
    const declared = [at('2T20', 'today'), at('2T23', 'tomorrow in Berlin')];
    expect(blamed(declared, rule(1))).toHaveLength(1);
    expect(blamed(declared, rule(1, 'Europe/Berlin'))).toEqual([]);
  });

  it('counts what waits in no file and what has left today, and blames the files', () => {
    const live = aLiveBroadcast({ id: '9', name: 'By hand', scheduled_at: '2026-06-01T20:00:00Z' });
    const declared = [at('1T09', 'gone'), at('1T18', 'later')];
    expect(blamed(declared, rule(1))).toEqual([]);
    expect(blamed(declared, rule(1), { undeclared: [live] })).toEqual(['alice/broadcast/later']);
    expect(blamed(declared, rule(1), { sent: new Set(['alice/broadcast/gone']) })).toEqual([
      'alice/broadcast/later',
    ]);
  });
});
