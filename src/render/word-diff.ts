import { assumeVisible, joined, type Visible } from '../domain/visible.ts';
import { diffArrays } from 'diff';
import { equalEnds } from './equal-ends.ts';
import type { Piece } from './piece.ts';

/** Limits, because the work grows with edits times words. Above them, only the equal ends are found. */
const WORDS_MAX = 50_000;
const WORD_EDITS_MAX = 400;

/** Versions that share less of their text than this are shown below each other. */
const SHARED_MIN = 0.35;

/** Letters and digits of any script. Long runs are cut. */
const WORD = String.raw`[\p{L}\p{M}\p{N}_]{1,64}`;
/** A price or a time is one token. */
const FIGURE = String.raw`\p{N}{1,32}(?:[.,:]\p{N}{1,32}){1,4}(?![\p{L}\p{N}])`;
/** A visible character: flags, joined emoji, a sign with its marks. */
const SIGN = String.raw`\p{RI}{2}|[^\s\p{L}\p{N}](?:[\p{M}\p{Emoji_Modifier}]|\u{200d}[^\s\p{L}\p{N}])*`;
const TOKENS = new RegExp(String.raw`${FIGURE}|${WORD}|\s+|${SIGN}`, 'gu');
/** Scripts without spaces. A run of their letters is several words. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}\p{scx=Mymr}]/u;
/** Created on first use, because it takes a tenth of the start time. */
let segmenter: Intl.Segmenter | null = null;

function wordsOf(line: string): readonly string[] {
  const tokens = line.match(TOKENS) ?? [];
  if (!UNSPACED.test(line)) return tokens;
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  const words = segmenter;
  return tokens.flatMap((token) =>
    UNSPACED.test(token) ? Array.from(words.segment(token), ({ segment }) => segment) : [token],
  );
}

/** The edits between two lines, word by word. Null if they have too little in common. */
export function diffWords(oldLine: Visible, newLine: Visible): readonly Piece[] | null {
  // If the text already has the marks of an edit, they would be ambiguous.
  if (/\[-|-\]|\{\+|\+\}/.test(oldLine + newLine)) return null;
  const oldWords = wordsOf(oldLine);
  const newWords = wordsOf(newLine);
  if (oldWords.length > WORDS_MAX || newWords.length > WORDS_MAX) return null;
  const edits = diffArrays([...oldWords], [...newWords], { maxEditLength: WORD_EDITS_MAX });
  if (edits === undefined) return null;
  const pieces = bridgeGaps(
    edits.map(({ removed, added, value }) => ({
      kind: removed ? 'removed' : added ? 'added' : 'same',
      text: assumeVisible(value.join('')),
    })),
  );
  const shared = pieces.reduce((sum, piece) => sum + (piece.kind === 'same' ? piece.text.length : 0), 0);
  return shared < SHARED_MIN * Math.max(oldLine.length, newLine.length) ? null : pieces;
}

/** The shared words at the ends, and everything between them as one edit. */
export function diffBetweenEnds(oldLine: Visible, newLine: Visible): readonly Piece[] {
  const oldWords = wordsOf(oldLine);
  const newWords = wordsOf(newLine);
  const { head, tail } = equalEnds(oldWords, newWords);
  const pieces: readonly Piece[] = [
    { kind: 'same', text: assumeVisible(oldWords.slice(0, head).join('')) },
    { kind: 'removed', text: assumeVisible(oldWords.slice(head, oldWords.length - tail).join('')) },
    { kind: 'added', text: assumeVisible(newWords.slice(head, newWords.length - tail).join('')) },
    { kind: 'same', text: assumeVisible(oldWords.slice(oldWords.length - tail).join('')) },
  ];
  return pieces.filter(({ text }) => text !== '');
}

/** A single space or comma between two edits joins them: "a b" to "x y" is one edit instead of two. */
function bridgeGaps(pieces: readonly Piece[]): readonly Piece[] {
  const result: Piece[] = [];
  let removed = '';
  let added = '';
  const flush = (): void => {
    const blanks = sharedBlanks(removed, added);
    const edit: readonly Piece[] = [
      { kind: 'removed', text: assumeVisible(removed.slice(0, removed.length - blanks.length)) },
      { kind: 'added', text: assumeVisible(added.slice(0, added.length - blanks.length)) },
      { kind: 'same', text: assumeVisible(blanks) },
    ];
    result.push(...edit.filter(({ text }) => text !== ''));
    removed = added = '';
  };
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === 'removed') removed += piece.text;
    else if (piece.kind === 'added') added += piece.text;
    else if (removed !== '' && added !== '' && index < pieces.length - 1 && isFiller(piece.text)) {
      removed += piece.text;
      added += piece.text;
    } else {
      flush();
      const last = result.at(-1);
      if (piece.kind === 'same' && last?.kind === 'same')
        result[result.length - 1] = { kind: 'same', text: joined([last.text, piece.text], '') };
      else result.push(piece);
    }
  }
  flush();
  return result;
}

/** The shared blanks at the ends of two phrases. */
function sharedBlanks(removed: string, added: string): string {
  const blanks = removed.slice(removed.trimEnd().length);
  return removed !== blanks && added !== blanks && added.endsWith(blanks) ? blanks : '';
}

function isFiller(text: string): boolean {
  return text.length <= 3 && !/[\p{L}\p{N}]/u.test(text);
}
