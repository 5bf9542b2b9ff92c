import { assumeVisible, joined, type Visible } from '../domain/visible.ts';
import { ELLIPSIS, fits, takeColumns, takeLastColumns } from './shorten.ts';

/** A part of one line: in both versions, only in the old one, or only in the new one. */
export interface Piece {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: Visible;
}

/** Columns of equal text shown on each side of an edit. */
const CONTEXT_COLUMNS = 40;

/** A line up to this many columns stays whole, so that it can be read as fans will read it. */
const WHOLE_COLUMNS_MAX = 400;

/** Leaves out most of the unchanged text of a long line. Removed and added text stays whole. */
export function elide(pieces: readonly Piece[]): readonly Piece[] {
  const text = pieces.filter(({ kind }) => kind !== 'removed').map((piece) => piece.text);
  if (fits(text.join(''), WHOLE_COLUMNS_MAX)) return pieces;
  return pieces.map((piece, index) => {
    if (piece.kind !== 'same') return piece;
    const first = index === 0;
    const last = index === pieces.length - 1;
    return { kind: 'same', text: elideSame(piece.text, first, last) };
  });
}

/** Keeps only the side next to an edit. */
function elideSame(text: Visible, first: boolean, last: boolean): Visible {
  if (fits(text, first || last ? CONTEXT_COLUMNS : 2 * CONTEXT_COLUMNS)) return text;
  const head = first ? '' : `${takeColumns(text, CONTEXT_COLUMNS).replace(LAST_CUT_WORD, '')} `;
  const tail = last ? '' : ` ${takeLastColumns(text, CONTEXT_COLUMNS).replace(FIRST_CUT_WORD, '')}`;
  return assumeVisible(`${head}${ELLIPSIS}${tail}`);
}

/** A cut word looks like a typo, so it is removed if it is short enough to be a word. */
const FIRST_CUT_WORD = /^\S{0,20}\s+(?=\S)/u;
const LAST_CUT_WORD = /(?<=\S)\s+\S{0,20}$/u;

/** One version of a line: the shared parts and its own. */
export function versionOf(pieces: readonly Piece[], side: 'removed' | 'added'): Visible {
  const texts = pieces.filter(({ kind }) => kind === 'same' || kind === side).map(({ text }) => text);
  return joined(texts, '');
}
