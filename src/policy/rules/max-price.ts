import type { PolicyRule } from '../rule.ts';
import { priceLimitShape, priceProblems, pricesThat } from '../prices.ts';
import { readLimit, type Limit, type WrittenLimit } from '../setting.ts';

/** No message may cost more. */
export const maxPrice = {
  key: 'max_price_gross',
  code: 'policy-max-price',
  shape: priceLimitShape,
  help: 'No message may cost more.',
  default: null,
  appliesTo: 'a message that costs more',
  example: 'max_price_gross: 49.99',
  read: readLimit,
  problems: priceProblems,
  describe: ({ limit }) => `${limit}`,
  check: (resources, { limit }) =>
    pricesThat(
      resources,
      (price) => price > limit,
      (cost) => `${cost}, above policy.max_price_gross ${limit}.`,
    ),
} as const satisfies PolicyRule<WrittenLimit, Limit>;
