import type { BannedPattern } from '../domain/policy.ts';
import { PatternScan } from './pattern-scan.ts';

/** Flags that change what is found; `g` and `y` only change where the next search begins. */
const FLAGS = /^[imsu]*$/;

/** Why a pattern of `policy.banned_words` cannot be used, and what to do about it; null when it can. */
export function patternProblem({ source, flags }: BannedPattern): string | null {
  if (!FLAGS.test(flags)) return `A pattern takes the flags i, m, s and u: "${flags}" has another one.`;
  const compiled = compile(source, flags);
  if (typeof compiled === 'string') return `This is no pattern: ${compiled}.`;
  if (compiled.test('')) return 'This pattern matches every text: write what must not be said.';
  const risk = new PatternScan().riskOf(source);
  return risk === null ? null : `This pattern could search for ever: ${risk}.`;
}

function compile(source: string, flags: string): RegExp | string {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
