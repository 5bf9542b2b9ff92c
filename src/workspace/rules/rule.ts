import type { Finding, Path } from '../findings.ts';
import type { WordsKnown } from '../known-words.ts';

/** The text of a number at a path of the resource. Undefined for plain digits with up to two decimals. */
export type OddNumberAt = (path: Path) => string | undefined;

/** A rule across the fields of a resource. Paths start at the resource. */
export type Rule<Written> = (written: Written, oddNumberAt: OddNumberAt, known: WordsKnown) => Finding[];

/** The findings of all rules, in their order. */
export function applyRules<Written>(
  rules: readonly Rule<Written>[],
  written: Written,
  oddNumberAt: OddNumberAt,
  known: WordsKnown,
): Finding[] {
  return rules.flatMap((rule) => rule(written, oddNumberAt, known));
}
