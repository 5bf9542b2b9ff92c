import * as z from 'zod/mini';
import { plainText } from '../../domain/text.ts';
import { BLANK } from '../../domain/visible.ts';
import { compilePattern, readPattern } from '../patterns.ts';
import { levelShape, type PolicyRule } from '../rule.ts';
import { withCode, withHelp } from '../../domain/value-shapes.ts';
import type { PolicySetting } from '../../domain/workspace.ts';

export interface BannedWords extends PolicySetting {
  /** Words and phrases, or `/pattern/flags`, as written. */
  readonly words: readonly string[];
}

/** Why a pattern cannot be used. Null for one that can, and for a word. */
function explainPattern(word: string): string | null {
  const pattern = readPattern(word);
  const search = pattern === null ? null : compilePattern(pattern);
  return search === null || typeof search === 'function' ? null : search.problem;
}

const wordShape = z.string().check(
  z.regex(/[^\p{Z}\p{C}\u{2800}]/u, withCode('invalid-value', 'Write a word that can be seen.')),
  z.refine((word) => explainPattern(word) === null, {
    error: ({ input }) => withCode('invalid-pattern', explainPattern(String(input)) ?? ''),
  }),
);

const wordsShape = withHelp(
  'Whole words and phrases in any case, or /patterns/ with flags.',
  z.array(wordShape),
);

const shape = z.union([wordsShape, z.strictObject({ words: wordsShape, level: levelShape })]);
type Written = z.infer<typeof shape>;

/** Words and phrases as whole words in any case, and patterns as they are written. */
export const bannedWords = {
  key: 'banned_words',
  code: 'policy-banned-word',
  shape,
  default: null,
  read: (written) => {
    const { words, level } = 'words' in written ? written : { words: written, level: 'deny' as const };
    return words.length === 0 ? null : { words, level };
  },
  describe: ({ words }) => words.join(', '),
  inMessage: {
    field: 'text',
    judge: ({ words }) => {
      const bans = words.map(makeBan);
      return ({ text }) => {
        const read = prepareText(text);
        if (read.plain === '') return [];
        return bans.filter((ban) => ban.finds(read)).map(({ breach }) => breach);
      };
    },
  },
} as const satisfies PolicyRule<Written, BannedWords>;

interface Text {
  /** As it is sent. */
  readonly plain: string;
  /** The text without invisible characters. */
  readonly visible: string;
  /** With the letters that others are disguised as. */
  readonly skeleton: string;
  /** The text in lower case. */
  readonly folded: string;
  /** The text without markup and blank characters. */
  readonly bare: string;
}

interface Ban {
  readonly breach: string;
  finds(text: Text): boolean;
}

function makeBan(word: string): Ban {
  const pattern = readPattern(word);
  const search = pattern === null ? null : compilePattern(pattern);
  if (typeof search === 'function')
    return {
      breach: `matches ${word}, which policy.banned_words forbids.`,
      finds: ({ plain, visible, skeleton }) => search(plain) || search(visible) || search(skeleton),
    };
  const whole = wholeWord(word);
  return {
    breach: `says "${word}", which policy.banned_words forbids.`,
    finds: ({ folded, bare }) => whole.test(folded) || (bare !== folded && whole.test(bare)),
  };
}

/** A letter, a digit or a mark on one goes on with the word; the ends of a word that has none are free. */
function wholeWord(word: string): RegExp {
  const folded = fold(makeSkeleton(word)).trim();
  const parts = folded.split(/\s+/).map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`));
  const body = parts.join(String.raw`\s+`);
  const inWord = String.raw`[\p{L}\p{N}\p{M}_]`;
  const starts = new RegExp(`^${inWord}`, 'u').test(folded);
  const ends = new RegExp(`${inWord}$`, 'u').test(folded);
  return new RegExp(`${starts ? `(?<!${inWord})` : ''}${body}${ends ? `(?!${inWord})` : ''}`, 'u');
}

function prepareText(text: string | null): Text {
  const plain = plainText(text);
  const skeleton = makeSkeleton(plain);
  return {
    plain,
    visible: plain.replace(UNSEEN, '').normalize('NFC'),
    skeleton,
    folded: fold(skeleton),
    bare: fold(makeSkeleton(plain.replace(INSIDE_WORDS, ''))),
  };
}

/** Markup and blank characters, which may be inside a word. */
const INSIDE_WORDS = new RegExp(String.raw`<\/?[a-z][^<>]*>|[*_~\u{60}]|${BLANK}`, 'giu');

/** Joiners, fillers, selectors, signs of direction, and a hyphen that only shows at a line's end. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** `ＦＲＥＥ` and `fr\u00ADee` are the word, too. A mark may follow an invisible character. */
function makeSkeleton(text: string): string {
  return withoutLookalikes(text.normalize('NFKC').replace(UNSEEN, '').normalize('NFKC'));
}

function fold(text: string): string {
  // Upper case first: it turns ß into SS, as case folding would.
  return text.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

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
function withoutLookalikes(text: string): string {
  return text.replace(LOOKALIKE, (letter) => {
    const small = letter.toLowerCase();
    const ascii = ASCII.get(small) ?? letter;
    return small === letter ? ascii : ascii.toUpperCase();
  });
}
