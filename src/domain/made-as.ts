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
  const beginning = (words ?? '').slice(0, LENGTH_MAX);
  const text = ASCII.test(beginning) ? beginning : lettersOf(beginning);
  let hash = 0;
  let letters = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const lower = code >= 65 && code <= 90 ? code + 32 : code;
    if (lower < 48 || (lower > 57 && lower < 97) || (lower > 122 && lower < 128)) continue;
    hash = Math.imul(hash ^ lower, 2_654_435_761);
    letters += 1;
  }
  return letters === 0 ? null : (hash ^ (hash >>> 16)) & MASK;
}

const ASCII = /^\p{ASCII}*$/u;

function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
