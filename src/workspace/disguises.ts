import { BLANK } from '../domain/visible.ts';

/** A part of a text that looks like something else. */
interface Disguise {
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
