import { describe, expect, it } from 'vitest';
import type { Declared } from '../../src/domain/resource.ts';
import { aBroadcast, aCampaign, aLiveBroadcast } from '../helpers/resource-builders.ts';
import { policyFindings } from '../helpers/policy-builders.ts';
import { quietHours } from '../../src/policy/rules.ts';

type QuietHours = Parameters<typeof quietHours.describe>[0];

const night: QuietHours = {
  from: '22:00',
  to: '08:00',
  timezone: 'Europe/Berlin',
  hours_after: 1,
  level: 'deny',
};
const noon: QuietHours = { ...night, from: '12:00', to: '14:00', timezone: 'UTC' };

const findings = (resource: Declared, setting: QuietHours) =>
  policyFindings([resource], { quiet_hours: setting });

const isQuiet = (scheduledAtUtc: string, rule: QuietHours) =>
  findings(aBroadcast({ scheduledAtUtc }), rule).length > 0;

describe('quiet_hours', () => {
  // Berlin is two hours ahead of UTC in June and one in December.
  it.each([
    ['2026-06-02T19:00:00Z', night, false],
    ['2026-06-02T20:00:00Z', night, true],
    ['2026-06-03T05:00:00Z', night, true],
    ['2026-06-03T06:00:00Z', night, false],
    ['2026-12-03T06:00:00Z', night, true],
    ['2026-06-02T12:00:00Z', noon, true],
    ['2026-06-02T14:00:00Z', noon, false],
    ['2026-06-02T14:00:00Z', { ...noon, timezone: 'Asia/Kathmandu' }, false],
    ['2026-06-02T07:00:00Z', { ...noon, timezone: 'Asia/Kathmandu' }, true],
  ])('at %s within %j: %s', (scheduledAtUtc, rule, quiet) => {
    expect(isQuiet(scheduledAtUtc, rule)).toBe(quiet);
  });

  // BROADCAST-9
  it.each([
    ['touch them half an hour later', '2026-06-02T20:00:00Z', { from: '22:30', hours_after: 1 }, true],
    ['end as they begin', '2026-06-02T19:00:00Z', { from: '22:00', hours_after: 1 }, false],
    ['reach them after three hours', '2026-06-02T17:00:00Z', { from: '21:30', hours_after: 3 }, true],
    ['do not reach them in two', '2026-06-02T17:00:00Z', { from: '21:30', hours_after: 2 }, false],
    ['do not count when told so', '2026-06-02T20:00:00Z', { from: '22:30', hours_after: 0 }, false],
    [
      'reach them over midnight',
      '2026-06-02T20:00:00Z',
      { from: '00:00', to: '01:00', hours_after: 3 },
      true,
    ],
  ])('the hours after: %s', (_, scheduledAtUtc, parts, quiet) => {
    expect(isQuiet(scheduledAtUtc, { ...night, ...parts })).toBe(quiet);
  });

  it('follow the clocks when they are set back or forward on the way', () => {
    // In Berlin 00:00Z is 02:00 before both changes: after it comes 02:00 again, or 04:00 at once.
    const rule = { ...night, from: '03:30', to: '03:45', hours_after: 2 };
    expect(isQuiet('2026-10-25T00:00:00Z', rule)).toBe(false);
    expect(isQuiet('2026-10-25T01:00:00Z', rule)).toBe(true);
    expect(isQuiet('2027-03-28T00:00:00Z', { ...rule, from: '02:15', to: '02:45' })).toBe(false);
  });

  // CONTENT-13
  it('know when a later message of the sequence is due', () => {
    const messages = [
      { text: 'a' },
      { text: 'b', delay_sec: 0 },
      { text: 'c', delay_sec: 7200 },
      { text: 'd', delay_sec: 3600 },
    ];
    const broadcast = aBroadcast({ messages, scheduledAtUtc: '2026-06-02T18:00:00Z' });
    expect(findings(broadcast, night).map(({ file, message }) => [file, message])).toEqual([
      [
        'messages.2.delay_sec',
        'messages[2] goes out at 22:00 in Europe/Berlin, within policy.quiet_hours 22:00 to 08:00.',
      ],
      [
        'messages.3.delay_sec',
        'messages[3] goes out at 23:00 in Europe/Berlin, within policy.quiet_hours 22:00 to 08:00.',
      ],
    ]);
  });

  it('say when the sending would reach them', () => {
    const broadcast = aBroadcast({ scheduledAtUtc: '2026-06-02T19:00:00Z' });
    expect(findings(broadcast, { ...night, hours_after: 3 })[0]).toMatchObject({
      file: 'scheduled_at',
      message:
        'messages[0] goes out at 21:00 and may still be sending at 22:00 in Europe/Berlin, within policy.quiet_hours 22:00 to 08:00.',
    });
  });

  it('do not concern campaigns, which follow their trigger', () => {
    expect(findings(aCampaign(), { ...noon, from: '00:00', to: '23:59' })).toEqual([]);
  });
});

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

  it('counts the days of its zone, or of the quiet hours', () => {
    const declared = [at('2T20', 'today'), at('2T23', 'tomorrow in Berlin')];
    expect(blamed(declared, rule(1))).toHaveLength(1);
    expect(blamed(declared, rule(1, 'Europe/Berlin'))).toEqual([]);
    const perDay = { limit: 1, level: 'deny' } as const;
    expect(blamed(declared, { max_broadcasts_per_day: perDay })).toHaveLength(1);
    const quietInBerlin = { ...night, from: '03:00', to: '04:00' };
    expect(blamed(declared, { max_broadcasts_per_day: perDay, quiet_hours: quietInBerlin })).toEqual([]);
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
