import * as z from 'zod';

/**
 * Values that the service takes, written from its document and not from the client: what the client wrongly sends is
 * refused here, and what it wrongly refuses is taken.
 */

/** A big integer id: digits without leading zeros, at most 19 (ACCOUNT-1). */
export const bigId = z
  .string()
  .regex(/^(0|[1-9]\d*)$/, 'must be digits without leading zeros')
  .max(19, 'must have at most 19 digits');

/** Text of at least one character. */
export const words = z.string().min(1);

/** Dollars. The digits that were sent decide, so that a sum of floats with 17 decimals is refused (CONTENT-7). */
export const dollars = z
  .number()
  .min(0, 'must be 0 or more')
  .refine((amount) => /^\d+(?:\.\d{1,2})?$/.test(String(amount)), 'must have at most two decimals');

/** Seconds or minutes of a rule. Assumed: whole, not negative, at most 31 bits (CONTENT-22). */
export const duration = z.int().min(0).max(2_147_483_647);

/** A date and time with its offset, kept in UTC: answers show it so (READ-7). */
export const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

/** A date and time on a clock that another field names. Its own offset is ignored (BROADCAST-4). */
export const wallClock = z.iso.datetime({ offset: true, local: true });

/** Parameters of a query arrive as text. */

export function countText(least: number, most: number) {
  const range = `must be a whole number from ${least} to ${most}`;
  return z
    .string(range)
    .regex(/^-?\d{1,16}$/, range)
    .transform(Number)
    .pipe(z.int(range).min(least, range).max(most, range));
}

export const offsetText = countText(0, Number.MAX_SAFE_INTEGER);

export const flagText = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((text) => text === 'true');

/** A point in time of a query; it is compared, never shown. */
export const instantText = z.iso.datetime({ offset: true });

/** A list of ids: one value, several values, or one value with commas (READ-10). */
export const idsText = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (Array.isArray(value) ? value : value.split(',')))
  .pipe(z.array(bigId).min(1).max(100));
