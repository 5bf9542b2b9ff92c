import { assumeVisible, joined, type Visible } from '../domain/visible.ts';
import { ELLIPSIS, fits, takeColumns, takeLastColumns } from './shorten.ts';

/** A stretch of one line: in both versions, only in the old one, or only in the new one. */
export interface Piece {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: Visible;
}

/** Columns of equal text kept on each side of an edit. */
const CONTEXT_COLUMNS = 40;

/** Leaves out most of what did not change. What was removed or added stays whole. */
export function elide(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.map((piece, index) => {
    if (piece.kind !== 'same') return piece;
    const first = index === 0;
    const last = index === pieces.length - 1;
    return { kind: 'same', text: elideSame(piece.text, first, last) };
  });
}

/** Only the side that touches an edit is worth its place. */
function elideSame(text: Visible, first: boolean, last: boolean): Visible {
  if (fits(text, first || last ? CONTEXT_COLUMNS : 2 * CONTEXT_COLUMNS)) return text;
  const head = first ? '' : `${takeColumns(text, CONTEXT_COLUMNS).replace(LAST_CUT_WORD, '')} `;
  const tail = last ? '' : ` ${takeLastColumns(text, CONTEXT_COLUMNS).replace(FIRST_CUT_WORD, '')}`;
  return assumeVisible(`${head}${ELLIPSIS}${tail}`);
}

/** A word cut by a limit of columns reads as a typing error: it goes, when it is short enough to be a word. */
const FIRST_CUT_WORD = /^\S{0,20}\s+(?=\S)/u;
const LAST_CUT_WORD = /(?<=\S)\s+\S{0,20}$/u;

/** One version of a line: what both have, and what only this one has. */
export function versionOf(pieces: readonly Piece[], side: 'removed' | 'added'): Visible {
  const texts = pieces.filter(({ kind }) => kind === 'same' || kind === side).map(({ text }) => text);
  return joined(texts, '');
}
