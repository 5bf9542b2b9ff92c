const ANY = Symbol('*');
const ONE = Symbol('?');

/** `*` matches any number of characters, `?` exactly one, and `\` escapes the next one. Case matters. */
export class Glob {
  readonly #tokens: readonly (string | symbol)[];
  #whole: RegExp | null = null;

  constructor(pattern: string) {
    this.#tokens = readTokens(pattern);
  }

  /** Tells whether a whole text matches. The time is at most the length of the pattern times that of the text. */
  matches(text: string): boolean {
    return (this.#whole ??= compile(this.#tokens)).test(text.normalize('NFC'));
  }

  /** The only text that it matches, in the normal form NFC; null if it has wildcards. */
  get literal(): string | null {
    return this.#tokens.includes(ANY) || this.#tokens.includes(ONE) ? null : this.#tokens.join('');
  }
}

function compile(tokens: readonly (string | symbol)[]): RegExp {
  const pieces: string[] = [''];
  for (const token of tokens)
    if (token === ANY) pieces.push('');
    else pieces.push((pieces.pop() ?? '') + (token === ONE ? '.' : escapePattern(String(token))));
  const [first = '', ...rest] = pieces;
  const last = rest.pop();
  // Each piece is taken where it comes first, for good: what a lookahead matched is not tried in another way.
  const middle = rest.map((piece, index) => `(?=(.*?${piece}))\\${index + 1}`);
  return new RegExp(`^${first}${middle.join('')}${last === undefined ? '' : `.*${last}`}$`, 'su');
}

/** The pattern that matches exactly this text. */
export function escapeGlob(text: string): string {
  return text.replaceAll(/[\\*?]/g, '\\$&');
}

function readTokens(pattern: string): readonly (string | symbol)[] {
  const found = pattern.normalize('NFC').matchAll(/\\(.)|./gsu);
  return Array.from(found, ([one, escaped]) => escaped ?? (one === '*' ? ANY : one === '?' ? ONE : one));
}

/** A text as a regular expression that matches only that text. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Finds values of variables in a text, as words of their own: the longest first, and never inside a word or a number. */
export function matchValues(values: readonly string[]): RegExp {
  const longestFirst = values.toSorted((left, right) => right.length - left.length);
  const any = longestFirst.map(escapePattern).join('|');
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${any})(?![\p{L}\p{N}])`, 'gu');
}
