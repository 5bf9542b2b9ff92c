import { RE2JS } from 're2js';
import type { BannedPattern, TextSearch } from './banned-pattern.ts';

/** Flags that change what is found; `u` changes nothing here: every pattern knows all of Unicode. */
const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  u: 0,
};

/**
 * A pattern of `policy.banned_words`, ready to search, or why it cannot be used. The author of a pattern may want the run to
 * never end, so it is searched in a time that grows with the text alone: what looks around or refers back is refused.
 */
export function compilePattern({ source, flags }: BannedPattern): TextSearch | { readonly problem: string } {
  const unknown = Array.from(flags).find((flag) => FLAGS[flag] === undefined);
  if (unknown !== undefined)
    return { problem: `A pattern may have the flags i, m, s and u. "${flags}" has another one.` };
  const search = compiled(
    source,
    Array.from(flags).reduce((all, flag) => all | (FLAGS[flag] ?? 0), 0),
  );
  if ('problem' in search) return search;
  return search('')
    ? { problem: 'This pattern matches every text. Write a pattern that matches only forbidden words.' }
    : search;
}

function compiled(source: string, flags: number): TextSearch | { readonly problem: string } {
  try {
    const pattern = RE2JS.compile(RE2JS.translateRegExp(source), flags);
    return (text) => pattern.matcher(text).find();
  } catch (error) {
    const why = (error as Error).message.replace('error parsing regexp: ', '');
    return {
      problem: `This pattern is not valid: ${why}. Use the syntax of RE2: no lookaround, no backreferences, and repeats of at most 1000.`,
    };
  }
}
