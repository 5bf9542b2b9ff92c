/** The only currency that a payout can be asked for in (PAYOUT-2). */
export const PAYOUT_CURRENCY = 'USD';

/** The most that one payout may ask for, in US cents (PAYOUT-2). */
const MAXIMUM_CENTS = 100_000_000;
/** More digits than this are beyond every bound, and beyond exact numbers. */
const DIGITS_MAX = 12;
const DECIMALS_MAX = 2;

/** An amount of US dollars in whole cents, so that it is compared exactly. */
export interface PayoutAmount {
  readonly cents: number;
  /** With two decimals: `100.10`. */
  readonly text: string;
  /** As the request carries it. */
  readonly usd: number;
}

/**
 * Reads an amount as it was typed. It is decided on its decimal text, because a number has lost the difference
 * between 0.3 and 0.30000000000000004. A string says what is wrong with it.
 */
export function parsePayoutAmount(typed: string): PayoutAmount | string {
  const text = typed.trim();
  if (text === '') return 'The amount is empty.';
  if (/^[+-]/.test(text)) return `The amount "${text}" has a sign; write it without one, above 0.`;
  if (/^[\d.]+e[+-]?\d+$/i.test(text))
    return `The amount "${text}" has an exponent; write all of its digits.`;
  const [, whole, fraction = ''] = /^(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined)
    return `Cannot read the amount "${text}". Write it as 100.10, without a currency and without separators for thousands.`;
  if (fraction.length > DECIMALS_MAX)
    return `The amount "${text}" has ${fraction.length} decimals; a payout has at most ${DECIMALS_MAX}.`;
  const cents =
    whole.length > DIGITS_MAX ? Infinity : Number(whole) * 100 + Number(fraction.padEnd(DECIMALS_MAX, '0'));
  if (cents > MAXIMUM_CENTS)
    return `The amount "${text}" is above ${formatCents(MAXIMUM_CENTS)} USD, the most that one payout may ask for.`;
  if (cents <= 0) return `The amount "${text}" is not above 0.`;
  return { cents, text: formatCents(cents), usd: cents / 100 };
}

/** Whole cents with two decimals. */
export function formatCents(cents: number): string {
  const size = Math.abs(cents);
  return `${cents < 0 ? '-' : ''}${Math.floor(size / 100)}.${String(size % 100).padStart(2, '0')}`;
}

/** A number of the service in cents; null if it is not an amount of whole cents. */
export function exactCents(amount: number | null | undefined): number | null {
  if (amount == null || !Number.isFinite(amount)) return null;
  const cents = Math.round(amount * 100);
  return Math.abs(amount * 100 - cents) < CENT_NOISE ? cents : null;
}

/** The error of binary numbers is far smaller than this. */
const CENT_NOISE = 1e-4;

/**
 * The amount that can be withdrawn, in whole cents, never more than the balance. It is below 0 if the account owes
 * money. Null if it is missing.
 */
export function lowerCents(amount: number | null | undefined): number | null {
  if (amount == null || !Number.isFinite(amount)) return null;
  return Math.floor(amount * 100 + CENT_NOISE);
}

export function upperCents(amount: number | null | undefined): number | null {
  if (amount == null || !Number.isFinite(amount) || amount < 0) return null;
  return Math.ceil(amount * 100 - CENT_NOISE);
}
