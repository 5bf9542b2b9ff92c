/** Characters that look like a space or like nothing: spaces of all widths and the empty Braille pattern. */
export const BLANK = String.raw`(?:(?! )\p{Zs}|\u{2800})`;

/**
 * Letters of Latin, Cyrillic, Greek and Armenian, each behind the letter of ASCII that it looks like in one of its cases.
 * A choice of Unicode's confusables.txt (UTS 39). The same letter counts in both cases, because words are found in any case.
 */
const LOOKALIKES =
  'aаαɑ bвβ cсϲ dԁ eеεҽ gɡց hнһη iіιıɩ jјϳ kкκĸ lӏ mмμ nпν oоοօ pрρ qԛ sѕ tтτ uυսʋ vѵ wԝω xхχ yуγү zζ';

const ASCII = new Map(
  LOOKALIKES.split(' ').flatMap((letters) =>
    letters
      .slice(1)
      .split('')
      .map((letter) => [letter, letters.charAt(0)] as const),
  ),
);
const LOOKALIKE = new RegExp(`[${[...ASCII.keys()].join('')}]`, 'giu');

/** The text with letters of ASCII in the place of those that look like them. */
export function withoutLookalikes(text: string): string {
  return text.replace(LOOKALIKE, (letter) => {
    const small = letter.toLowerCase();
    const ascii = ASCII.get(small) ?? letter;
    return small === letter ? ascii : ascii.toUpperCase();
  });
}

/** A part of a text that looks like something else. */
export interface Disguise {
  readonly code: 'blank-character' | 'mixed-script';
  readonly message: string;
  /** As the text has it. */
  readonly part: string;
}

const ASCII_ONLY = /^[\t\n\r -~]*$/;
const SCRIPTS = [
  ['Latin', /\p{Script=Latin}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
] as const;

/** The first word of letters that look alike in several scripts, and the first blank character. */
export function disguisesIn(text: string): readonly Disguise[] {
  if (ASCII_ONLY.test(text)) return [];
  const [blank] = new RegExp(BLANK, 'u').exec(text) ?? [];
  const word = text.match(/[\p{L}\p{M}]+/gu)?.find((one) => scriptsIn(one).length > 1);
  return [...(word === undefined ? [] : [mixed(word)]), ...(blank === undefined ? [] : [blankIn(blank)])];
}

function scriptsIn(word: string): readonly string[] {
  return SCRIPTS.flatMap(([name, letters]) => (word.search(letters) === -1 ? [] : [name]));
}

function mixed(part: string): Disguise {
  const shown = part.replace(/[\p{Script=Cyrillic}\p{Script=Greek}]/gu, escaped);
  const message = `The word ${shown} has ${scriptsIn(part).join(' and ')} letters, which can look alike. Write it in one script.`;
  return { code: 'mixed-script', message, part };
}

function blankIn(part: string): Disguise {
  const message = `The character ${escaped(part)} looks like a space, and is another one. Write a space, or remove it.`;
  return { code: 'blank-character', message, part };
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
