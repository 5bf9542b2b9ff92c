import * as z from 'zod/mini';
import { withCode } from '../domain/coded-message.ts';
import type { Declared } from '../domain/resource.ts';
import type { MessageNow, PolicyViolation, WrittenContext, WrittenProblem } from './rule.ts';
import { limitShape, type WrittenLimit } from './setting.ts';

/** A rule that is one price. */
export const priceLimitShape = limitShape(
  z.number().check(z.minimum(0, withCode('invalid-price', 'A price is 0 or more.'))),
);

/** A price of a rule must be written as dollars and cents. */
export function priceProblems(price: WrittenLimit, context: WrittenContext): readonly WrittenProblem[] {
  const path = typeof price === 'number' ? [] : ['limit'];
  const odd = context.oddNumberAt(path);
  return odd === undefined ? [] : [{ code: 'invalid-price', path, message: notAPrice(odd) }];
}

/** The messages with a price that breaks a rule. */
export function pricesThat(
  resources: readonly Declared[],
  breaks: (price: number) => boolean,
  describe: (cost: string) => string,
): readonly PolicyViolation[] {
  return resources.flatMap((resource) =>
    resource.content.messages.flatMap(({ price_gross: price = 0 }, index) =>
      breaks(price)
        ? [
            {
              resource,
              path: ['messages', index, 'price_gross'],
              message: describe(`messages[${index}] costs ${price}`),
            },
          ]
        : [],
    ),
  );
}

/** The same for a single message. */
export function priceThat(
  { price }: MessageNow,
  breaks: (price: number) => boolean,
  describe: (cost: string) => string,
): readonly string[] {
  return breaks(price) ? [describe(`the message costs ${price}`)] : [];
}

/** The message for a price that is not dollars and cents, such as 1e1 or 9.999 (`invalid-price`). */
export function notAPrice(written: string): string {
  return `${written} is not a price. Write dollars with up to two decimals, such as 9.99.`;
}
