import { isSafeNumber, parse, stringify } from 'lossless-json';

/**
 * JSON whose integers keep every digit: those beyond 2^53 become bigints
 * (19-digit ids stand as plain numbers in some replies).
 */
export function parseJson(text: string): unknown {
  return parse(text, null, (digits) =>
    /^-?\d+$/.test(digits) && !isSafeNumber(digits) ? BigInt(digits) : Number(digits),
  );
}

/** The counterpart of `parseJson`: bigints print as digits. */
export function printJson(value: unknown, indent?: number): string {
  return stringify(value, null, indent) ?? 'null';
}
