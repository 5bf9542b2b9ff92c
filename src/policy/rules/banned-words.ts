import * as z from 'zod/mini';
import { withCode } from '../../domain/coded-message.ts';
import { BLANK, withoutLookalikes } from '../../domain/lookalikes.ts';
import { withHelp } from '../../domain/with-help.ts';
import { plainText } from '../../domain/text.ts';
import type { PolicySetting } from '../../domain/policy.ts';
import { bannedPattern, type CompilePattern, type TextSearch } from '../banned-pattern.ts';
import type { PolicyRule, WrittenProblem } from '../rule.ts';
import { readLevel, levelShape } from '../setting.ts';

export interface BannedWords extends PolicySetting {
  /** Words and phrases, or `/pattern/flags`, as written. */
  readonly words: readonly string[];
  /** What each pattern among them searches for, by the pattern as written. */
  readonly searches: ReadonlyMap<string, TextSearch>;
}

const wordsShape = withHelp(
  'Whole words and phrases in any case, or /patterns/ with flags.',
  z.array(z.string().check(z.regex(/\S/, withCode('invalid-value', 'A word has letters.')))),
);

const shape = z.union([wordsShape, z.strictObject({ words: wordsShape, level: levelShape })]);
type Written = z.infer<typeof shape>;

/** A slash at the begin of a value of YAML, in any spelling of a string. Only a value that begins with one is a pattern. */
const MAY_HAVE_PATTERN = /(?:^|[\s'"[,{])\/|\\(?:\/|x2f|u002f|u0000002f)/i;

/** Words and phrases as whole words in any case, and patterns as they are written. */
export const bannedWords = {
  key: 'banned_words',
  code: 'policy-banned-word',
  shape,
  default: null,
  appliesTo: 'a whole word or phrase in any case, or a `/pattern/` with the flags i, m, s, u',
  example: "banned_words: [wire transfer, '/\\b(?:telegram|t\\.me)\\b/i']",
  // The engine of patterns is large, and few workspaces have patterns.
  loadEngine: async (text) =>
    MAY_HAVE_PATTERN.test(text) ? (await import('../patterns.ts')).compilePattern : null,
  read: (written, { engine }) => {
    const words = listWords(written);
    const level = 'words' in written ? readLevel(written) : 'deny';
    const searches = words.flatMap((word) => {
      const search = compileSearch(word, engine);
      return typeof search === 'function' ? [[word, search] as const] : [];
    });
    return words.length === 0 ? null : { words, level, searches: new Map(searches) };
  },
  problems: (written, { engine }) =>
    listWords(written).flatMap((word, index) =>
      wordProblems(word, 'words' in written ? ['words', index] : [index], engine),
    ),
  describe: ({ words }) => words.join(', '),
  check: (resources, { words, searches }) => {
    const bans = words.map((word) => makeBan(word, searches));
    return resources.flatMap((resource) =>
      resource.content.messages.flatMap((message, index) => {
        const path = ['messages', index, 'text'];
        return breachesIn(message.text, bans).map((breach) => ({
          resource,
          path,
          message: `messages[${index}] ${breach}`,
        }));
      }),
    );
  },
  checkMessage: ({ text }, { words, searches }) =>
    breachesIn(
      text,
      words.map((word) => makeBan(word, searches)),
    ).map((breach) => `the message ${breach}`),
} as const satisfies PolicyRule<Written, BannedWords, CompilePattern>;

function listWords(written: Written): readonly string[] {
  return 'words' in written ? written.words : written;
}

/** What a pattern searches for, or why it cannot be used; null for a word or a phrase. */
function compileSearch(word: string, engine: CompilePattern | null): ReturnType<CompilePattern> | null {
  const pattern = bannedPattern(word);
  if (pattern === null) return null;
  // A pattern that is not searched for would let through what it forbids.
  return engine === null ? { problem: 'Herald cannot search for this pattern.' } : engine(pattern);
}

function wordProblems(
  word: string,
  path: WrittenProblem['path'],
  engine: CompilePattern | null,
): readonly WrittenProblem[] {
  const search = compileSearch(word, engine);
  if (typeof search === 'object' && search !== null)
    return [{ code: 'invalid-pattern', path, message: search.problem }];
  if (bannedPattern(word) !== null || /[^\p{Z}\p{C}\u{2800}]/u.test(word)) return [];
  return [{ code: 'invalid-value', path, message: 'This word has only invisible characters. Write a word.' }];
}

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

function breachesIn(text: string | null | undefined, bans: readonly Ban[]): readonly string[] {
  const read = prepareText(text);
  if (read.plain === '') return [];
  return bans.filter((ban) => ban.finds(read)).map(({ breach }) => breach);
}

function makeBan(word: string, searches: BannedWords['searches']): Ban {
  const search = searches.get(word);
  if (search !== undefined)
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

function prepareText(text: string | null | undefined): Text {
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
