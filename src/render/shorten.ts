import stringWidth from 'string-width';
import { assumeVisible, type Visible } from '../domain/visible.ts';

const GRAPHEMES = new Intl.Segmenter('und', { granularity: 'grapheme' });

const PLAIN = /^[ -~]*$/;

/** Stands for what was left out. */
export const ELLIPSIS = '…';

/** A text cut to at most `columns` terminal columns, never inside a character that a person sees as one. */
export function shorten(text: Visible, columns: number): Visible {
  if (fits(text, columns)) return text;
  return assumeVisible(columns < 1 ? '' : takeColumns(text, columns - 1).trimEnd() + ELLIPSIS);
}

/** Keeps the beginning and the end: for long edits both tell more than the middle. */
export function shortenMiddle(text: Visible, columns: number): Visible {
  if (fits(text, columns)) return text;
  const side = Math.max(0, Math.floor((columns - 3) / 2));
  return assumeVisible(
    `${takeColumns(text, side).trimEnd()} ${ELLIPSIS} ${takeLastColumns(text, side).trimStart()}`,
  );
}

/** The longest beginning of a text that takes at most `columns` columns. */
export function takeColumns(text: string, columns: number): string {
  // Every unit of plain text is one column; with one more of them behind it, the cut splits nothing.
  if (PLAIN.test(text.slice(0, columns + 1))) return text.slice(0, columns);
  return text.slice(0, unitsWithin(graphemesOf(text), columns));
}

/**
 * The longest end of a text that takes at most `columns` columns. Only its last units are looked at: that
 * keeps a text of any length cheap, and visible characters are far shorter.
 */
export function takeLastColumns(text: string, columns: number): string {
  if (columns === 0) return '';
  const end = text.slice(-columns);
  if (PLAIN.test(end)) return end;
  const window = text.slice(-columns * UNITS_PER_COLUMN);
  const graphemes = [...graphemesOf(window)];
  // The window may begin inside a character; where text was cut off, the first one is given up.
  const whole = window.length < text.length ? graphemes.slice(1) : graphemes;
  const units = unitsWithin(whole.toReversed(), columns);
  return units === 0 ? '' : window.slice(-units);
}

/** Whether a text takes at most `columns` columns; no more of it is measured than that. */
export function fits(text: string, columns: number): boolean {
  return takeColumns(text, columns).length === text.length;
}

/** Units that a visible character takes at most, in text worth showing. */
const UNITS_PER_COLUMN = 8;

function* graphemesOf(text: string): Generator<string> {
  for (const { segment } of GRAPHEMES.segment(text)) yield segment;
}

/** How many units the first graphemes have that together take at most `columns` columns. */
function unitsWithin(graphemes: Iterable<string>, columns: number): number {
  // Measuring an emoji costs microseconds, and texts repeat their characters.
  const widths = new Map<string, number>();
  let units = 0;
  let used = 0;
  for (const grapheme of graphemes) {
    const width = widths.get(grapheme) ?? stringWidth(grapheme);
    widths.set(grapheme, width);
    used += width;
    if (used > columns) break;
    units += grapheme.length;
  }
  return units;
}
