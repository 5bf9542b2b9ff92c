import type { RE2JS } from 're2js';

/** Whether something is in a text. */
type TextSearch = (text: string) => boolean;

/** A banned word that is a regular expression. */
interface BannedPattern {
  readonly source: string;
  readonly flags: string;
}

/** The engine of patterns is large, and few workspaces have patterns, so it is loaded for them only. */
let engine: typeof RE2JS | null = null;

/** Call it before `compilePattern`. */
export function setPatternEngine(loaded: typeof RE2JS): void {
  engine = loaded;
}

/** What `/pattern/flags` has, composed as texts are. Null for a word or a phrase. */
export function readPattern(word: string): BannedPattern | null {
  const [, source, flags] = /^\/(.+)\/([a-z]*)$/s.exec(word.normalize('NFC')) ?? [];
  return source === undefined ? null : { source, flags: flags ?? '' };
}

/**
 * A pattern of `policy.banned_words`, ready to search, or why it cannot be used. The author of a pattern may want the run to
 * never end, so it is searched in a time that grows with the text alone: what looks around or refers back is refused.
 */
export function compilePattern({ source, flags }: BannedPattern): TextSearch | { readonly problem: string } {
  // A pattern that is not searched for would let through what it forbids.
  if (engine === null) return { problem: 'Herald cannot search for this pattern.' };
  // `u` changes nothing here: every pattern knows all of Unicode.
  const known = new Map([
    ['i', engine.CASE_INSENSITIVE],
    ['m', engine.MULTILINE],
    ['s', engine.DOTALL],
    ['u', 0],
  ]);
  const bits = Array.from(flags, (flag) => known.get(flag));
  if (bits.includes(undefined))
    return { problem: `A pattern may have the flags i, m, s and u. "${flags}" has another one.` };
  try {
    const all = bits.reduce<number>((sum, bit) => sum | (bit ?? 0), 0);
    const pattern = engine.compile(engine.translateRegExp(source), all);
    const search: TextSearch = (text) => pattern.matcher(text).find();
    return search('')
      ? { problem: 'This pattern matches every text. Write a pattern that matches only forbidden words.' }
      : search;
  } catch (error) {
    const why = (error as Error).message.replace('error parsing regexp: ', '');
    return {
      problem: `This pattern is not valid: ${why}. Use the syntax of RE2: no lookaround, no backreferences, and repeats of at most 1000.`,
    };
  }
}
