import type { PolicyRule } from '../rule.ts';
import { priceLimitShape, priceProblems, pricesThat } from '../prices.ts';
import { readLimit, type Limit, type WrittenLimit } from '../setting.ts';

/** No message that costs something may cost less. */
export const minPrice = {
  key: 'min_price_gross',
  code: 'policy-min-price',
  shape: priceLimitShape,
  help: 'No message that costs something may cost less.',
  default: null,
  appliesTo: 'a message that costs something, and less than this',
  example: 'min_price_gross: { limit: 3, level: warn }',
  read: readLimit,
  problems: priceProblems,
  describe: ({ limit }) => `${limit}`,
  check: (resources, { limit }) =>
    pricesThat(
      resources,
      (price) => price > 0 && price < limit,
      (cost) =>
        `${cost}, below policy.min_price_gross ${limit}. Raise the price to at least ${limit}, or make the message free.`,
    ),
} as const satisfies PolicyRule<WrittenLimit, Limit>;
