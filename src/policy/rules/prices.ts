import * as z from 'zod/mini';
import { isPrice, NOT_A_PRICE } from '../../domain/message.ts';
import { limitShape, readLimit, type Limit, type PolicyRule, type WrittenLimit } from '../rule.ts';
import { withCode } from '../../domain/value-shapes.ts';

type PriceRule = PolicyRule<WrittenLimit, Limit>;

/** A rule that is one price, without what makes it a maximum or a minimum. */
const PRICE = {
  shape: limitShape(
    z.number().check(z.minimum(0), z.refine(isPrice, withCode('invalid-price', NOT_A_PRICE))),
  ),
  default: null,
  read: readLimit,
  describe: ({ limit }) => `${limit}`,
} as const satisfies Partial<PriceRule>;

/** Checks the price of each message. `explain` says why a price breaks the rule, or null. */
function inPrice(
  explain: (price: number, limit: number) => string | null,
): NonNullable<PriceRule['inMessage']> {
  return {
    field: 'price_gross',
    judge: ({ limit }) => {
      return ({ price }) => {
        const why = explain(price, limit);
        return why === null ? [] : [`costs ${price}, ${why}`];
      };
    },
  };
}

/** No message may cost more. */
export const maxPrice = {
  ...PRICE,
  key: 'max_price_gross',
  code: 'policy-max-price',
  help: 'No message may cost more.',
  inMessage: inPrice((price, limit) => (price > limit ? `above policy.max_price_gross ${limit}.` : null)),
} as const satisfies PriceRule;

/** No message that costs something may cost less. */
export const minPrice = {
  ...PRICE,
  key: 'min_price_gross',
  code: 'policy-min-price',
  help: 'No message that costs something may cost less.',
  inMessage: inPrice((price, limit) =>
    price > 0 && price < limit
      ? `below policy.min_price_gross ${limit}. Raise the price to at least ${limit}, or make the message free.`
      : null,
  ),
} as const satisfies PriceRule;
