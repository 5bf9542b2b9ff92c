import { bannedPattern, type BannedWords } from '../domain/policy.ts';
import type { Declared } from '../domain/resource.ts';
import { plainText } from './normalise.ts';
import type { Breach } from './policy-case.ts';

/** Searching a text by a pattern takes at worst a power of its length; no sane message is longer than this. */
const PATTERN_TEXT_MAX = 5_000;

interface Text {
  /** As it is sent. */
  readonly plain: string;
  /** The same without what nobody sees. */
  readonly visible: string;
  /** In one case, without marks that nobody sees and letters dressed up as others. */
  readonly folded: string;
}

interface Ban {
  readonly isPattern: boolean;
  readonly breach: string;
  finds(text: Text): boolean;
}

/** Words and phrases as whole words in any case, and patterns as they are written. */
export function bannedWords(resources: readonly Declared[], { words }: BannedWords): readonly Breach[] {
  const bans = words.map(banOf);
  return resources.flatMap((resource) =>
    resource.content.messages.flatMap((message, index) => {
      const text = textOf(message.text);
      if (text.plain === '') return [];
      const path = ['messages', index, 'text'];
      return bans.flatMap((ban) => {
        const breach = judge(ban, text);
        return breach === null ? [] : [{ resource, path, message: `messages[${index}] ${breach}` }];
      });
    }),
  );
}

function judge(ban: Ban, text: Text): string | null {
  // What was not searched must not pass for clean.
  if (ban.isPattern && text.plain.length > PATTERN_TEXT_MAX)
    return `is longer than ${PATTERN_TEXT_MAX} characters, so it cannot be searched for the patterns of policy.banned_words: shorten it.`;
  return ban.finds(text) ? ban.breach : null;
}

function banOf(word: string): Ban {
  const pattern = bannedPattern(word);
  const regexp = pattern === null ? wholeWord(word) : new RegExp(pattern.source, pattern.flags);
  const isPattern = pattern !== null;
  return {
    isPattern,
    breach: isPattern
      ? `matches ${word}, which policy.banned_words forbids.`
      : `says "${word}", which policy.banned_words forbids.`,
    finds: ({ plain, visible, folded }) =>
      isPattern ? regexp.test(plain) || regexp.test(visible) : regexp.test(folded),
  };
}

/** A letter, a digit or a mark on one goes on with the word; the ends of a word that has none are free. */
function wholeWord(word: string): RegExp {
  const folded = fold(word).trim();
  const parts = folded.split(/\s+/).map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`));
  const body = parts.join(String.raw`\s+`);
  const inWord = String.raw`[\p{L}\p{N}\p{M}_]`;
  const starts = new RegExp(`^${inWord}`, 'u').test(folded);
  const ends = new RegExp(`${inWord}$`, 'u').test(folded);
  return new RegExp(`${starts ? `(?<!${inWord})` : ''}${body}${ends ? `(?!${inWord})` : ''}`, 'u');
}

function textOf(text: string | null | undefined): Text {
  const plain = plainText(text);
  return { plain, visible: plain.replace(UNSEEN, '').normalize('NFC'), folded: fold(plain) };
}

/** Joiners, fillers, selectors, signs of direction, and a hyphen that only shows at a line's end. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** `ＦＲＥＥ` and `fr\u00ADee` are the word, too; a mark may stand behind something that nobody sees. */
function fold(text: string): string {
  const visible = text.normalize('NFKC').replace(UNSEEN, '').normalize('NFKC');
  // Upper case first: it turns ß into SS, as case folding would.
  return visible.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}
