/**
 * The name and first text of a create as one small number: two fingerprints of 15 bits. Only letters and digits
 * count, so trimming and encoding by the service do not matter. Null if either is missing.
 */
export function madeAs(name: string | null | undefined, text: string | null | undefined): number | null {
  const [first, second] = [fingerprint(name), fingerprint(text)];
  return first === null || second === null ? null : (first << BITS) | second;
}

/** True if name and text both differ. One of them alone may be changed by people or by the service. */
export function bothDiffer(left: number, right: number): boolean {
  const different = left ^ right;
  return different >> BITS !== 0 && (different & MASK) !== 0;
}

const BITS = 15;
const MASK = (1 << BITS) - 1;
/** The beginning is enough to distinguish texts. */
const LENGTH_MAX = 200;

function fingerprint(words: string | null | undefined): number | null {
  const text = fewOf((words ?? '').slice(0, LENGTH_MAX));
  let hash = 0;
  let letters = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const lower = isUpper(code) ? code + 32 : code;
    if (lower < 48 || (lower > 57 && lower < 97) || (lower > 122 && lower < 128)) continue;
    hash = Math.imul(hash ^ lower, 2_654_435_761);
    letters += 1;
  }
  return letters === 0 ? null : (hash ^ (hash >>> 16)) & MASK;
}

/** Of English and the languages of Western Europe. */
function isUpper(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 192 && code <= 222);
}

/** Letters and digits in one form each, with what else ASCII has. */
function fewOf(words: string): string {
  if (SIMPLE.test(words)) return words;
  const letters = words.replaceAll(PICTURES, '');
  return SIMPLE.test(letters) ? letters : lettersOf(words);
}

/** Letters that Unicode has in this form only, where nothing else follows that could change them. */
const SIMPLE = /^[\p{ASCII}À-ÖØ-öø-ÿ]*$/u;
/** Emoji, dashes, quotes and dots: of what is no letter in any form, what texts mostly have. They cost a tenth this way. */
const PICTURES =
  /[\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u200d\ufe0f\u2600-\u2775\u2794-\u27bf\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}]+/gu;

function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
