import { unprintableOffset } from '../workspace/text.ts';

/** A text longer than this reads better in a file of its own. */
const INLINE_LENGTH_MAX = 200;

/** Whether a text is long and comes back from a file of its own as it was. */
export function standsInTextFile(text: string): boolean {
  return text.length > INLINE_LENGTH_MAX && survivesFile(text);
}

/** A byte-order mark at the start is taken away when a file is read, and half a character is none in UTF-8. */
export function survivesFile(text: string): boolean {
  return unprintableOffset(text) === -1 && !text.startsWith('\uFEFF') && !/\p{Cs}/u.test(text);
}

/** What is shown as an escape, because it cannot be seen, steers a reader's eye, or is no text in a file. */
const ESCAPED = /[\u007f-\u009f\u200e\u200f\u061c\u2028-\u202e\u2066-\u2069\ufeff\ufffd-\uffff]/g;

/** How a text stands in YAML: what looks alike on every screen as it is, the rest with escapes. */
export function styleOf(text: string): 'PLAIN' | 'QUOTE_SINGLE' | 'QUOTE_DOUBLE' | 'BLOCK_LITERAL' {
  if (text.search(ESCAPED) !== -1 || /(?!\n)\p{Cc}|\p{Cs}/u.test(text)) return 'QUOTE_DOUBLE';
  if (text.includes('\n')) return isBlock(text) ? 'BLOCK_LITERAL' : 'QUOTE_DOUBLE';
  if (isWord(text)) return 'PLAIN';
  return text.includes("'") && !text.includes('"') ? 'QUOTE_DOUBLE' : 'QUOTE_SINGLE';
}

/** Lines that an editor leaves alone: none ends or begins the text with something that cannot be seen. */
function isBlock(text: string): boolean {
  return /^\S/.test(text) && !/\s$/.test(text) && !/[^\S\n]\n/.test(text);
}

/** Words that older readers of YAML take for something else than text. */
const OTHER_WORDS = /^(?:y|yes|n|no|on|off|true|false|null|nan|inf)$/i;

function isWord(text: string): boolean {
  return /^[A-Za-z](?:[\w./ ()&+-]*[\w.)])?$/.test(text) && !OTHER_WORDS.test(text);
}

/** The same file with everything escaped that `styleOf` put into double quotes for it. */
export function escapeUnseen(yaml: string): string {
  return yaml.replace(ESCAPED, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
