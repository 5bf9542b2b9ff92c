/** Matches a whole text. */
type Glob = (text: string) => boolean;

const ANY = Symbol('*');
const ONE = Symbol('?');

/**
 * `*` matches any number of characters, `?` exactly one, and `\` escapes the next one. Case matters. The time is at
 * most the length of the pattern times that of the text.
 */
export function globOf(pattern: string): Glob {
  const pieces: string[] = [''];
  for (const token of readTokens(pattern))
    if (token === ANY) pieces.push('');
    else pieces.push((pieces.pop() ?? '') + (token === ONE ? '.' : escapeRegExp(String(token))));
  const [first = '', ...rest] = pieces;
  const last = rest.pop();
  // Each piece is taken where it comes first, for good: what a lookahead matched is not tried in another way.
  const middle = rest.map((piece, index) => `(?=(.*?${piece}))\\${index + 1}`);
  const whole = new RegExp(`^${first}${middle.join('')}${last === undefined ? '' : `.*${last}`}$`, 'su');
  return (text) => whole.test(text.normalize('NFC'));
}

/** The pattern that matches exactly this text. */
export function escapeGlob(text: string): string {
  return text.replaceAll(/[\\*?]/g, '\\$&');
}

/** The only text that a pattern matches, in the normal form NFC; null if it has wildcards. */
export function readLiteral(pattern: string): string | null {
  const tokens = readTokens(pattern);
  return tokens.includes(ANY) || tokens.includes(ONE) ? null : tokens.join('');
}

function readTokens(pattern: string): readonly (string | symbol)[] {
  const found = pattern.normalize('NFC').matchAll(/\\(.)|./gsu);
  return Array.from(
    found,
    ([token, escaped]) => escaped ?? (token === '*' ? ANY : token === '?' ? ONE : token),
  );
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/**
 * Steps from a resource to one field, as in plans: `messages[0].text` is `messages`, `0`, `text`. `*` matches any
 * list index.
 */
type FieldSteps = readonly string[];

const PLACE = /^(?:0|[1-9]\d*)$/;

/** Reads `messages[0].text`, `messages.0.text` and `messages[*].text` alike. */
export function fieldSteps(path: string): FieldSteps {
  return path.replaceAll(/\[(\*|\d+)\]/g, '.$1').split('.');
}

/** True if a field is the one of the pattern, or inside it. */
export function isWithin(field: FieldSteps, pattern: FieldSteps): boolean {
  return pattern.every((step, index) => {
    const own = field[index];
    return own === step || (step === '*' && own !== undefined && PLACE.test(own));
  });
}
