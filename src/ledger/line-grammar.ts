/*
 * Lines as Herald spells them, as parts of regular expressions: each member stands once and in its place, without spaces.
 */

/** Text that JSON spells in one way only. */
export const PLAIN = String.raw`[^"\\\x00-\x1f]`;
export const TEXT = `"(${PLAIN}*)"`;
export const TEXT_OR_NULL = `(?:null|${TEXT})`;
export const TEXTS = String.raw`\[((?:"${PLAIN}*"(?:,"${PLAIN}*")*)?)\]`;
/** Whole numbers of so few digits that they are exact. */
export const INTEGER = '-?(?:0|[1-9][0-9]{0,14})';
export const INTEGER_OR_NULL = `(null|${INTEGER})`;

export const BEGIN = String.raw`\{"v":1,"at":${TEXT}(?:,"at_skew_ms":${INTEGER_OR_NULL})?,"run":${TEXT}(?:,"origin":"(${PLAIN}+)")?,"type":`;
export const END = String.raw`,"entry":${TEXT},"sent_at_ms":(${INTEGER})(?:,"skew_ms":${INTEGER_OR_NULL})?,"who":${TEXT}\}$`;

export function oneOf(words: readonly string[]): string {
  return `"(${words.join('|')})"`;
}

/** From that place on; null where the expression does not fit there. */
export function matchAt(expression: RegExp, text: string, place: number): RegExpExecArray | null {
  if (place < 0) return null;
  expression.lastIndex = place;
  return expression.exec(text);
}

export function numberOrNull(digits: string | undefined): number | null {
  return digits === undefined || digits === 'null' ? null : Number(digits);
}

/** What `TEXTS` has found. */
export function textsIn(list: string): string[] {
  return list === '' ? [] : list.slice(1, -1).split('","');
}
