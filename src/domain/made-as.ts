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
  const text = (words ?? '').slice(0, LENGTH_MAX);
  const print = printOf(text, false);
  return print === ODD ? printOf(lettersOf(text), true) : print;
}

/** A character may have another form in Unicode. */
const ODD = -1;

/** Null for a text without letters. `isInForm`: it has nothing but letters, each in the form that counts. */
function printOf(text: string, isInForm: boolean): number | null {
  let hash = 0;
  let letters = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const lower = isUpper(code) ? code + 32 : code;
    if (code >= 128 && !isInForm && !isWestern(lower)) {
      const point = text.codePointAt(index) ?? 0;
      if (!isPicture(point)) return ODD;
      if (point > 0xff_ff) index += 1;
      continue;
    }
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

/** Letters of Western Europe, in small. Unicode has them in this form only, unless a mark follows. */
function isWestern(code: number): boolean {
  return code >= 223 && code <= 255 && code !== 247;
}

function isPicture(point: number): boolean {
  return PICTURES.some(([first, last]) => point >= first && point <= last);
}

/** Emoji, dashes, quotes and dots: no letters in any form. Most texts have some. */
const PICTURES: readonly (readonly [number, number])[] = [
  [0x1_f3_00, 0x1_f6_4f],
  [0x1_f6_80, 0x1_f6_ff],
  [0x1_f9_00, 0x1_f9_ff],
  [0x26_00, 0x27_75],
  [0x27_94, 0x27_bf],
  [0xfe_0f, 0xfe_0f],
  [0x20_0d, 0x20_0d],
  [0x20_13, 0x20_14],
  [0x20_18, 0x20_19],
  [0x20_1c, 0x20_1d],
  [0x20_26, 0x20_26],
];

function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
