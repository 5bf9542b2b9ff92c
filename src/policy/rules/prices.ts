import * as z from 'zod/mini';
import { withCode } from '../../domain/coded-message.ts';
import type { PolicyRule } from '../rule.ts';
import { limitShape, readLimit, type Limit, type WrittenLimit } from '../setting.ts';

/** The message for a price that is not dollars and cents, such as 1e1 or 9.999 (`invalid-price`). */
export function notAPrice(written: string): string {
  return `${written} is not a price. Write dollars with up to two decimals, such as 9.99.`;
}

type PriceRule = PolicyRule<WrittenLimit, Limit>;

/** A rule that is one price, without what makes it a maximum or a minimum. */
const PRICE = {
  shape: limitShape(z.number().check(z.minimum(0, withCode('invalid-price', 'A price is 0 or more.')))),
  default: null,
  read: readLimit,
  problems: (price, { oddNumberAt }) => {
    const path = typeof price === 'number' ? [] : ['limit'];
    const odd = oddNumberAt(path);
    return odd === undefined ? [] : [{ code: 'invalid-price', path, message: notAPrice(odd) }];
  },
  describe: ({ limit }) => `${limit}`,
} as const satisfies Partial<PriceRule>;

/** Checks the price of each message. `explain` says why a price breaks the rule, or null. */
function checkPrices(explain: (price: number, limit: number) => string | null) {
  return {
    check: (resources, { limit }) =>
      resources.flatMap((resource) =>
        resource.content.messages.flatMap(({ price_gross: price = 0 }, index) => {
          const why = explain(price, limit);
          const path = ['messages', index, 'price_gross'];
          return why === null
            ? []
            : [{ resource, path, message: `messages[${index}] costs ${price}, ${why}` }];
        }),
      ),
    checkMessage: ({ price }, { limit }) => {
      const why = explain(price, limit);
      return why === null ? [] : [`the message costs ${price}, ${why}`];
    },
  } as const satisfies Pick<PriceRule, 'check' | 'checkMessage'>;
}

/** No message may cost more. */
export const maxPrice = {
  ...PRICE,
  key: 'max_price_gross',
  code: 'policy-max-price',
  help: 'No message may cost more.',
  appliesTo: 'a message that costs more',
  example: 'max_price_gross: 49.99',
  ...checkPrices((price, limit) => (price > limit ? `above policy.max_price_gross ${limit}.` : null)),
} as const satisfies PriceRule;

/** No message that costs something may cost less. */
export const minPrice = {
  ...PRICE,
  key: 'min_price_gross',
  code: 'policy-min-price',
  help: 'No message that costs something may cost less.',
  appliesTo: 'a message that costs something, and less than this',
  example: 'min_price_gross: { limit: 3, level: warn }',
  ...checkPrices((price, limit) =>
    price > 0 && price < limit
      ? `below policy.min_price_gross ${limit}. Raise the price to at least ${limit}, or make the message free.`
      : null,
  ),
} as const satisfies PriceRule;
