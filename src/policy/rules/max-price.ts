import type { PolicyRule } from '../rule.ts';
import { priceLimitShape, priceProblems, pricesThat, priceThat } from '../prices.ts';
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
  check: (resources, { limit }) => pricesThat(resources, isAbove(limit), describeBreach(limit)),
  checkMessage: (message, { limit }) => priceThat(message, isAbove(limit), describeBreach(limit)),
} as const satisfies PolicyRule<WrittenLimit, Limit>;

const isAbove = (limit: number) => (price: number) => price > limit;
const describeBreach = (limit: number) => (cost: string) => `${cost}, above policy.max_price_gross ${limit}.`;
