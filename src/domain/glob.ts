/** Matches a whole text. */
export type Glob = (text: string) => boolean;

type Token =
  { readonly kind: 'any' } | { readonly kind: 'one' } | { readonly kind: 'letter'; readonly letter: string };

/**
 * `*` matches any number of characters, `?` exactly one, and `\` escapes the next one. Case matters. The time is at
 * most the length of the pattern times that of the text.
 */
export function globOf(pattern: string): Glob {
  const tokens = tokensOf(pattern.normalize('NFC'));
  return (text) => matches(tokens, Array.from(text.normalize('NFC')));
}

/** The pattern that matches exactly this text. */
export function escapeGlob(text: string): string {
  return text.replaceAll(/[\\*?]/g, '\\$&');
}

/** The only text that a pattern matches, in the normal form NFC; null if it has wildcards. */
export function literalOf(pattern: string): string | null {
  const tokens = tokensOf(pattern.normalize('NFC'));
  const letters = tokens.map((token) => (token.kind === 'letter' ? token.letter : null));
  return letters.includes(null) ? null : letters.join('');
}

function tokensOf(pattern: string): readonly Token[] {
  const tokens: Token[] = [];
  const letters = Array.from(pattern);
  for (let index = 0; index < letters.length; index += 1) {
    const letter = letters[index] ?? '';
    const next = letters[index + 1];
    if (letter === '\\' && next !== undefined) {
      tokens.push({ kind: 'letter', letter: next });
      index += 1;
    } else if (letter === '*') tokens.push({ kind: 'any' });
    else tokens.push(letter === '?' ? { kind: 'one' } : { kind: 'letter', letter });
  }
  return tokens;
}

/** After a mismatch, continues at the last `*`. Earlier ones need no retry. */
function matches(tokens: readonly Token[], letters: readonly string[]): boolean {
  let token = 0;
  let letter = 0;
  let star = -1;
  let starLetter = 0;
  while (letter < letters.length) {
    const wanted = tokens[token];
    if (wanted?.kind === 'any') {
      star = token;
      starLetter = letter;
      token += 1;
    } else if (wanted !== undefined && (wanted.kind === 'one' || wanted.letter === letters[letter])) {
      token += 1;
      letter += 1;
    } else if (star >= 0) {
      token = star + 1;
      starLetter += 1;
      letter = starLetter;
    } else return false;
  }
  return tokens.slice(token).every(({ kind }) => kind === 'any');
}
