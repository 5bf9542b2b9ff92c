import type { Finding, Path } from '../findings.ts';
import type { WordsKnown } from '../known-words.ts';

/** How a number is written at a path of the resource; undefined when it is plain digits with up to two decimals. */
export type OddNumberAt = (path: Path) => string | undefined;

/** One thing that must hold across the fields of a resource; paths start at the resource. */
export type Rule<Written> = (written: Written, oddNumberAt: OddNumberAt, known: WordsKnown) => Finding[];

/** Everything that the rules have to say, in their order. */
export function applyRules<Written>(
  rules: readonly Rule<Written>[],
  written: Written,
  oddNumberAt: OddNumberAt,
  known: WordsKnown,
): Finding[] {
  return rules.flatMap((rule) => rule(written, oddNumberAt, known));
}
