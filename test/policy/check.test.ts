import { describe, expect, it } from 'vitest';
import { denials } from '../helpers/policy-builders.ts';
import { aBroadcast, aCampaign } from '../helpers/resource-builders.ts';

const deny = (limit: number) => ({ limit, level: 'deny' }) as const;
const price = (price_gross: number) => aCampaign({ messages: [{ text: 'Hey', price_gross }] });

describe('a policy', () => {
  it.each(['paused', 'archived', 'recalled'] as const)('never stands in the way of %s', (target) => {
    expect(denials({ ...price(99), target }, { max_price_gross: deny(50) })).toEqual([]);
  });

  it('does not judge a broadcast with an hour that has passed', () => {
    const messages = [{ text: 'a', price_gross: 99 }];
    const past = aBroadcast({ messages, scheduledAtUtc: '2026-06-01T11:00:00Z' });
    expect(denials(past, { max_price_gross: deny(50) })).toEqual([]);
  });
});
