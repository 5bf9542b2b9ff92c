import { describe, expect, it } from 'vitest';
import { denials } from '../../helpers/policy-builders.ts';
import { aBroadcast, aCampaign } from '../../helpers/resource-builders.ts';

const deny = (limit: number) => ({ limit, level: 'deny' }) as const;
const price = (price_gross: number) => aCampaign({ messages: [{ text: 'Hey', price_gross }] });

describe('max_price_gross and min_price_gross', () => {
  it.each([
    ['at the most', price(50), []],
    ['a cent above it', price(50.01), ['policy-max-price at messages.0.price_gross']],
    ['at the least', price(5), []],
    ['a cent below it', price(4.99), ['policy-min-price at messages.0.price_gross']],
    ['nothing', price(0), []],
    ['not stated', aCampaign({ messages: [{ text: 'Hey' }] }), []],
  ])('%s', (_, resource, expected) => {
    expect(denials(resource, { max_price_gross: deny(50), min_price_gross: deny(5) })).toEqual(expected);
  });

  it('are checked in every message', () => {
    const messages = [{ text: 'a' }, { text: 'b', price_gross: 60 }, { text: 'c', price_gross: 70 }];
    expect(denials(aBroadcast({ messages }), { max_price_gross: deny(50) })).toEqual([
      'policy-max-price at messages.1.price_gross',
      'policy-max-price at messages.2.price_gross',
    ]);
  });
});
