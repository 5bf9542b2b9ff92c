/** The only currency that a payout can be asked for in (PAYOUT-2). */
export const PAYOUT_CURRENCY = 'USD';

/** The most that one payout may ask for, in US cents (PAYOUT-2). */
const MAXIMUM_CENTS = 100_000_000;
const DECIMALS_MAX = 2;

/**
 * Reads an amount of US dollars as it was typed, and returns whole cents. It is decided on its decimal text, because a number has
 * lost the difference between 0.3 and 0.30000000000000004. A string says what is wrong with it.
 */
export function parsePayoutAmount(typed: string): number | string {
  const text = typed.trim();
  const [, whole, fraction = ''] = /^(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined)
    return `Cannot read the amount "${text}". Write it as 100.10, without a sign, a currency and separators for thousands.`;
  if (fraction.length > DECIMALS_MAX)
    return `The amount "${text}" has ${fraction.length} decimals; a payout has at most ${DECIMALS_MAX}.`;
  const cents = Number(whole) * 100 + Number(fraction.padEnd(DECIMALS_MAX, '0'));
  if (cents > MAXIMUM_CENTS)
    return `The amount "${text}" is above ${formatCents(MAXIMUM_CENTS)} USD, the most that one payout may ask for.`;
  return cents > 0 ? cents : `The amount "${text}" is not above 0.`;
}

/** Whole cents with two decimals. */
export function formatCents(cents: number): string {
  const size = Math.abs(cents);
  return `${cents < 0 ? '-' : ''}${Math.floor(size / 100)}.${String(size % 100).padStart(2, '0')}`;
}

/** The error of binary numbers is far smaller than this. */
const CENT_NOISE = 1e-4;

/**
 * A number of the service in whole cents; null if it is missing or makes no sense.
 *
 * | `as`     | what it is                                             | below 0                |
 * |----------|--------------------------------------------------------|------------------------|
 * | `amount` | the amount of a request; null if it is not whole cents | as it is               |
 * | `most`   | a balance or an upper bound; never more than it is     | the account owes money |
 * | `least`  | a lower bound; never less than it is                   | null                   |
 */
export function readCents(
  dollars: number | null | undefined,
  as: 'amount' | 'most' | 'least',
): number | null {
  if (dollars == null || !Number.isFinite(dollars)) return null;
  if (as === 'most') return Math.floor(dollars * 100 + CENT_NOISE);
  if (as === 'least') return dollars < 0 ? null : Math.ceil(dollars * 100 - CENT_NOISE);
  const cents = Math.round(dollars * 100);
  return Math.abs(dollars * 100 - cents) < CENT_NOISE ? cents : null;
}
