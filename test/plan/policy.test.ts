import { describe, expect, it } from 'vitest';
import type { Policy } from '../../src/domain/workspace.ts';
import type { Declared } from '../../src/domain/resource.ts';
import { checkPolicy } from '../../src/plan/policy.ts';
import { aBroadcast, aCampaign } from '../helpers/resource-builders.ts';
import { NO_POLICY, NOON } from './plan-of.ts';

function denials(resource: Declared, policy: Partial<Policy>): readonly string[] {
  return checkPolicy([resource], { ...NO_POLICY, ...policy }, NOON).map(({ code }) => code);
}

const price = (price_gross: number) => aCampaign({ messages: [{ text: 'Hey', price_gross }] });

describe('max_price_gross', () => {
  it('is the highest price, not the first that is refused', () => {
    expect(denials(price(50), { maxPriceGross: 50 })).toEqual([]);
    expect(denials(price(50.01), { maxPriceGross: 50 })).toEqual(['policy-max-price']);
  });

  it('is checked in every message', () => {
    const messages = [{ text: 'a' }, { text: 'b', price_gross: 60 }, { text: 'c', price_gross: 70 }];
    expect(denials(aBroadcast({ messages }), { maxPriceGross: 50 })).toHaveLength(2);
  });
});

describe('banned_words', () => {
  it.each([
    ['in another case', 'FREE money', 'free'],
    ['inside another word', 'freedom', 'free'],
    ['in another Unicode form', 'cafe\u0301', 'caf\u00e9'],
  ])('are found %s', (_, text, word) => {
    expect(denials(aCampaign({ messages: [{ text }] }), { bannedWords: [word] })).toEqual([
      'policy-banned-word',
    ]);
  });

  it('are not found where there is no text', () => {
    const messages = [{ text: null, attachments: [{ id: '1', type: 'image' }] }];
    expect(denials(aCampaign({ messages }), { bannedWords: ['free'] })).toEqual([]);
  });
});

describe('quiet_hours', () => {
  const night = { from: '22:00', to: '08:00', timezone: 'Europe/Berlin' };
  const noon = { from: '12:00', to: '14:00', timezone: 'UTC' };

  // Berlin is two hours ahead of UTC in June and one in December.
  it.each([
    ['2026-06-02T19:00:00Z', night, false],
    ['2026-06-02T20:00:00Z', night, true],
    ['2026-06-02T22:00:00Z', night, true],
    ['2026-06-03T05:00:00Z', night, true],
    ['2026-06-03T06:00:00Z', night, false],
    ['2026-12-03T06:00:00Z', night, true],
    ['2026-12-03T07:00:00Z', night, false],
    ['2026-06-02T11:00:00Z', noon, false],
    ['2026-06-02T12:00:00Z', noon, true],
    ['2026-06-02T14:00:00Z', noon, false],
    ['2026-06-02T14:00:00Z', { ...noon, timezone: 'Asia/Kathmandu' }, false],
    ['2026-06-02T07:00:00Z', { ...noon, timezone: 'Asia/Kathmandu' }, true],
  ])('at %s within %j: %s', (scheduledAtUtc, quietHours, quiet) => {
    expect(denials(aBroadcast({ scheduledAtUtc }), { quietHours })).toEqual(
      quiet ? ['policy-quiet-hours'] : [],
    );
  });

  it('do not concern campaigns, which follow their trigger', () => {
    expect(denials(aCampaign(), { quietHours: { ...noon, from: '00:00', to: '23:59' } })).toEqual([]);
  });
});

describe('a policy', () => {
  it.each(['paused', 'archived', 'recalled'] as const)('never stands in the way of %s', (target) => {
    expect(denials({ ...price(99), target }, { maxPriceGross: 50 })).toEqual([]);
  });

  it('does not judge a broadcast whose hour has passed', () => {
    const messages = [{ text: 'a', price_gross: 99 }];
    const past = aBroadcast({ messages, scheduledAtUtc: '2026-06-01T11:00:00Z' });
    expect(denials(past, { maxPriceGross: 50 })).toEqual([]);
  });

  it('names the rule, the place and the resource', () => {
    expect(checkPolicy([price(99)], { ...NO_POLICY, maxPriceGross: 50 }, NOON)).toEqual([
      {
        severity: 'error',
        code: 'policy-max-price',
        message: 'messages[0] costs 99, above policy.max_price_gross 50.',
        file: 'campaigns/all.yaml',
        line: 3,
        column: 5,
        address: 'alice/campaign/Welcome',
      },
    ]);
  });
});
