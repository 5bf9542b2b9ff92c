import { unprintableOffset } from '../workspace/text.ts';

/** Longer texts get their own file. */
const INLINE_LENGTH_MAX = 200;

/** True for a long text that stays the same in its own file. */
export function belongsInTextFile(text: string): boolean {
  return text.length > INLINE_LENGTH_MAX && survivesFile(text);
}

/**
 * False for texts that change in a file: a leading byte-order mark is removed on reading, and half a character is not
 * valid UTF-8.
 */
export function survivesFile(text: string): boolean {
  return unprintableOffset(text) === -1 && !text.startsWith('\uFEFF') && !/\p{Cs}/u.test(text);
}

/**
 * Characters that are written as escapes, because they are invisible, change the direction of text, or are not
 * allowed in files.
 */
const ESCAPED = /[\u007f-\u009f\u200e\u200f\u061c\u2028-\u202e\u2066-\u2069\ufeff\ufffd-\uffff]/g;

/** The YAML style of a text. Texts that are not clear on every screen get escapes. */
export function styleOf(text: string): 'PLAIN' | 'QUOTE_SINGLE' | 'QUOTE_DOUBLE' | 'BLOCK_LITERAL' {
  if (text.search(ESCAPED) !== -1 || /(?!\n)\p{Cc}|\p{Cs}/u.test(text)) return 'QUOTE_DOUBLE';
  if (text.includes('\n')) return isBlock(text) ? 'BLOCK_LITERAL' : 'QUOTE_DOUBLE';
  if (isWord(text)) return 'PLAIN';
  return text.includes("'") && !text.includes('"') ? 'QUOTE_DOUBLE' : 'QUOTE_SINGLE';
}

/** True if editors keep all lines: no invisible characters at the ends. */
function isBlock(text: string): boolean {
  return /^\S/.test(text) && !/\s$/.test(text) && !/[^\S\n]\n/.test(text);
}

/** Words that older YAML readers do not read as text. */
const OTHER_WORDS = /^(?:y|yes|n|no|on|off|true|false|null|nan|inf)$/i;

function isWord(text: string): boolean {
  return /^[A-Za-z](?:[\w./ ()&+-]*[\w.)])?$/.test(text) && !OTHER_WORDS.test(text);
}

/** The same file, with the escapes for texts that `styleOf` has put in double quotes. */
export function escapeUnseen(yaml: string): string {
  return yaml.replace(ESCAPED, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
