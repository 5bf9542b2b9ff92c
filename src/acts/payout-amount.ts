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

/** A number of the service in cents; null if it is not an amount of whole cents. */
export function exactCents(amount: number | null | undefined): number | null {
  if (amount == null || !Number.isFinite(amount)) return null;
  const cents = Math.round(amount * 100);
  return Math.abs(amount * 100 - cents) < CENT_NOISE ? cents : null;
}

/** A balance in whole cents, never more than it is. It is below 0 if the account owes money. Null if it is missing. */
export function lowerCents(amount: number | null | undefined): number | null {
  if (amount == null || !Number.isFinite(amount)) return null;
  return Math.floor(amount * 100 + CENT_NOISE);
}

/** A lower bound in whole cents, never less than it is. Null if it is missing or makes no sense. */
export function upperCents(amount: number | null | undefined): number | null {
  if (amount == null || !Number.isFinite(amount) || amount < 0) return null;
  return Math.ceil(amount * 100 - CENT_NOISE);
}
