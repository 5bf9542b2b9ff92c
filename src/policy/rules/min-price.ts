import type { PolicyRule } from '../rule.ts';
import { priceLimitShape, priceProblems, pricesThat, priceThat } from '../prices.ts';
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
  check: (resources, { limit }) => pricesThat(resources, isBelow(limit), describeBreach(limit)),
  checkMessage: (message, { limit }) => priceThat(message, isBelow(limit), describeBreach(limit)),
} as const satisfies PolicyRule<WrittenLimit, Limit>;

const isBelow = (limit: number) => (price: number) => price > 0 && price < limit;
const describeBreach = (limit: number) => (cost: string) =>
  `${cost}, below policy.min_price_gross ${limit}. Raise the price to at least ${limit}, or make the message free.`;
