import type { BannedWords } from '../domain/policy.ts';
import type { Declared } from '../domain/resource.ts';
import { plainText } from '../domain/plain-text.ts';
import type { Breach } from './policy-case.ts';

interface Text {
  /** As it is sent. */
  readonly plain: string;
  /** The same without what nobody sees. */
  readonly visible: string;
  /** In one case, without marks that nobody sees and letters dressed up as others. */
  readonly folded: string;
}

interface Ban {
  readonly breach: string;
  finds(text: Text): boolean;
}

/** Words and phrases as whole words in any case, and patterns as they are written. */
export function bannedWords(
  resources: readonly Declared[],
  { words, searches }: BannedWords,
): readonly Breach[] {
  const bans = words.map((word) => banOf(word, searches));
  return resources.flatMap((resource) =>
    resource.content.messages.flatMap((message, index) => {
      const text = textOf(message.text);
      if (text.plain === '') return [];
      const path = ['messages', index, 'text'];
      return bans
        .filter((ban) => ban.finds(text))
        .map(({ breach }) => ({ resource, path, message: `messages[${index}] ${breach}` }));
    }),
  );
}

function banOf(word: string, searches: BannedWords['searches']): Ban {
  const search = searches.get(word);
  if (search !== undefined)
    return {
      breach: `matches ${word}, which policy.banned_words forbids.`,
      finds: ({ plain, visible }) => search(plain) || search(visible),
    };
  const whole = wholeWord(word);
  return {
    breach: `says "${word}", which policy.banned_words forbids.`,
    finds: ({ folded }) => whole.test(folded),
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
