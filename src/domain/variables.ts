import { escapePattern } from './glob.ts';

/** Finds values of variables in a text, as words of their own: the longest first, and never inside a word or a number. */
export function matchValues(values: readonly string[]): RegExp {
  const longestFirst = values.toSorted((left, right) => right.length - left.length);
  const any = longestFirst.map(escapePattern).join('|');
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${any})(?![\p{L}\p{N}])`, 'gu');
}
