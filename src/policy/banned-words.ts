import type { RE2JS } from 're2js';
import * as z from 'zod/mini';
import { foldName, plainText } from '../domain/text.ts';
import { escapePattern } from '../domain/glob.ts';
import { withCode } from '../domain/value-shapes.ts';
import { BLANK } from '../domain/visible.ts';

export const bannedWordShape = z.string().check(
  z.regex(/[^\p{Z}\p{C}\u{2800}]/u, withCode('invalid-value', 'Write a word that can be seen.')),
  z.check<string>(({ value, issues }) => {
    const search = compilePattern(value);
    if (search === null || typeof search === 'function') return;
    issues.push({ code: 'custom', input: value, message: withCode('invalid-pattern', search.problem) });
  }),
);

/** How a message breaks the bans of words and phrases, or of `/pattern/flags`, as written: one sentence for each. */
export function judgeBannedWord(words: readonly string[]) {
  const bans = words.map(makeBan);
  return ({ text }: { readonly text: string | null }): readonly string[] => {
    const plain = plainText(text);
    if (plain === '') return [];
    const read = prepareText(plain);
    return bans.flatMap((explain) => explain(read) ?? []);
  };
}

interface Text {
  /** As it is sent, without invisible characters, and with the letters that others are disguised as. */
  readonly forPatterns: readonly string[];
  /** In lower case, with and without markup and blank characters, and with a space in their place. */
  readonly forWords: readonly string[];
}

function prepareText(plain: string): Text {
  const spellings = [plain, plain.replace(INSIDE_WORDS, ''), plain.replace(BETWEEN_WORDS, ' ')];
  const skeletons = [...new Set(spellings)].map(makeSkeleton);
  return {
    forPatterns: [plain, plain.replace(UNSEEN, '').normalize('NFC'), skeletons[0] ?? ''],
    forWords: skeletons.map(fold),
  };
}

function makeBan(word: string): (text: Text) => string | null {
  const search = compilePattern(word);
  if (typeof search === 'function')
    return ({ forPatterns }) =>
      forPatterns.some(search) ? `matches ${word}, which policy.banned_words forbids.` : null;
  const whole = wholeWord(word);
  return ({ forWords }) =>
    forWords.some((text) => whole.test(text)) ? `says "${word}", which policy.banned_words forbids.` : null;
}

/** A letter, a digit or a mark on one goes on with the word; the ends of a word that has none are free. */
function wholeWord(word: string): RegExp {
  const folded = fold(makeSkeleton(word));
  const body = folded
    .split(/\s+/)
    .map(escapePattern)
    .join(String.raw`\s+`);
  const inWord = String.raw`[\p{L}\p{N}\p{M}_]`;
  const starts = new RegExp(`^${inWord}`, 'u').test(folded);
  const ends = new RegExp(`${inWord}$`, 'u').test(folded);
  return new RegExp(`${starts ? `(?<!${inWord})` : ''}${body}${ends ? `(?!${inWord})` : ''}`, 'u');
}

/** A tag, or a named character such as `&shy;`. The document does not say whether fans see them as HTML. */
const TAG = String.raw`<\/?[a-z][^<>]*>|&[a-z][a-z\d]{1,30};`;
/** A character by its number. */
const NUMBERED = /&#(?:x0*([\da-f]{1,5})|0*(\d{1,6}));?/gi;
/** Markup and blank characters, which may be inside a word. */
const INSIDE_WORDS = new RegExp(String.raw`${TAG}|[*_~\u{60}]|${BLANK}`, 'giu');
/** A break of a line, and what looks like a space: a blank character or a Hangul filler. */
const BETWEEN_WORDS = new RegExp(String.raw`${TAG}|${BLANK}|[\u115f\u1160\u3164\uffa0]`, 'giu');

/** Joiners, fillers, selectors, signs of direction, and a hyphen that only shows at a line's end. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Strokes and stress marks. One that makes another letter, as in `ñ`, is part of that letter. */
const LOOSE_MARK = /(?=\p{M})\p{Script=Inherited}/gu;

/** `ＦＲＥＥ` and `fr\u00ADee` are the word, too. A mark may follow an invisible character. */
function makeSkeleton(text: string): string {
  const decoded = text.replace(NUMBERED, (_whole, hex: string | undefined, decimal: string) =>
    String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
  );
  const composed = decoded.normalize('NFKC').replace(UNSEEN, '').normalize('NFKC');
  return composed.replace(LOOSE_MARK, '').replace(LOOKALIKE, (letter) => {
    const small = letter.toLowerCase();
    const ascii = ASCII.get(small) ?? letter;
    return small === letter ? ascii : ascii.toUpperCase();
  });
}

function fold(text: string): string {
  return foldName(text).replaceAll('ς', 'σ');
}

/**
 * Letters of Latin, Cyrillic, Greek and Armenian, each behind the letter of ASCII that it looks like in one of its cases.
 * A choice of Unicode's confusables.txt (UTS 39). The same letter counts in both cases, because words are found in any case.
 */
const LOOKALIKES =
  'aаαɑ bвβ cсϲ dԁ eеεҽ gɡց hнһη iіιıɩ jјϳ kкκĸ lӏ mмμ nпν oоοօ pрρ qԛ sѕ tтτ uυսʋ vѵ wԝω xхχ yуγү zζ';

const ASCII = new Map(
  LOOKALIKES.split(' ').flatMap(([ascii = '', ...letters]) =>
    letters.map((letter) => [letter, ascii] as const),
  ),
);
const LOOKALIKE = new RegExp(`[${[...ASCII.keys()].join('')}]`, 'giu');

/** The engine of patterns is large, and few workspaces have patterns, so it is loaded for them only. */
let engine: typeof RE2JS | null = null;

/** Call it if `herald.yaml` may have `banned_words`. */
export async function loadPatternEngine(): Promise<void> {
  engine = (await import('re2js')).RE2JS;
}

/**
 * A banned word of the form `/pattern/flags`, ready to search, or why it cannot be used. Null for a word or a phrase. The author
 * of a pattern may want the run to never end, so it is searched in a time that grows with the text alone: what looks around or
 * refers back is refused.
 */
function compilePattern(word: string): ((text: string) => boolean) | { readonly problem: string } | null {
  const [, source, flags = ''] = /^\/(.+)\/([a-z]*)$/s.exec(word.normalize('NFC')) ?? [];
  if (source === undefined) return null;
  // A pattern that is not searched for would let through what it forbids.
  if (engine === null) return { problem: 'Herald cannot search for this pattern.' };
  // `u` changes nothing here: every pattern knows all of Unicode.
  const known = new Map([
    ['i', engine.CASE_INSENSITIVE],
    ['m', engine.MULTILINE],
    ['s', engine.DOTALL],
    ['u', 0],
  ]);
  const bits = Array.from(flags, (flag) => known.get(flag));
  if (bits.includes(undefined))
    return { problem: `A pattern may have the flags i, m, s and u. "${flags}" has another one.` };
  try {
    const all = bits.reduce<number>((sum, bit) => sum | (bit ?? 0), 0);
    const pattern = engine.compile(engine.translateRegExp(source), all);
    const search = (text: string) => pattern.matcher(text).find();
    return search('')
      ? { problem: 'This pattern matches every text. Write a pattern that matches only forbidden words.' }
      : search;
  } catch (error) {
    const why = (error as Error).message.replace('error parsing regexp: ', '');
    return {
      problem: `This pattern is not valid: ${why}. Use the syntax of RE2: no lookaround, no backreferences, and repeats of at most 1000.`,
    };
  }
}
