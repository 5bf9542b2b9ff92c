import stringWidth from 'string-width';
import { assumeVisible, type Visible } from '../domain/visible.ts';

const GRAPHEMES = new Intl.Segmenter('und', { granularity: 'grapheme' });

const PLAIN = /^[ -~]*$/;

export const ELLIPSIS = '…';

/** Cuts a text to `columns` terminal columns, never inside a visible character. */
export function shorten(text: Visible, columns: number): Visible {
  if (fits(text, columns)) return text;
  return assumeVisible(columns < 1 ? '' : takeColumns(text, columns - 1).trimEnd() + ELLIPSIS);
}

/** Keeps the beginning and the end, which say more about a long edit than the middle. */
export function shortenMiddle(text: Visible, columns: number): Visible {
  if (fits(text, columns)) return text;
  const side = Math.max(0, Math.floor((columns - 3) / 2));
  return assumeVisible(
    `${takeColumns(text, side).trimEnd()} ${ELLIPSIS} ${takeLastColumns(text, side).trimStart()}`,
  );
}

/** The longest beginning of a text that fits `columns` columns. */
export function takeColumns(text: string, columns: number): string {
  // In plain text, every unit is one column. With one more plain unit after it, the cut splits nothing.
  if (PLAIN.test(text.slice(0, columns + 1))) return text.slice(0, columns);
  return text.slice(0, unitsWithin(graphemesOf(text), columns));
}

/** The longest end of a text that fits `columns` columns. Its time does not depend on the length. */
export function takeLastColumns(text: string, columns: number): string {
  if (columns === 0) return '';
  const end = text.slice(-columns);
  if (PLAIN.test(end)) return end;
  const window = text.slice(-columns * UNITS_PER_COLUMN);
  const graphemes = [...graphemesOf(window)];
  // The window may begin inside a character, so its first one is dropped if text was cut off.
  const whole = window.length < text.length ? graphemes.slice(1) : graphemes;
  const units = unitsWithin(whole.toReversed(), columns);
  return units === 0 ? '' : window.slice(-units);
}

/** True if a text fits `columns` columns. Measures no more than that. */
export function fits(text: string, columns: number): boolean {
  return takeColumns(text, columns).length === text.length;
}

/** Largest number of units per visible character in useful text. */
const UNITS_PER_COLUMN = 8;

function* graphemesOf(text: string): Generator<string> {
  for (const { segment } of GRAPHEMES.segment(text)) yield segment;
}

/** Number of units of the first graphemes that fit `columns` columns. */
function unitsWithin(graphemes: Iterable<string>, columns: number): number {
  // Cached, because measuring an emoji takes microseconds and texts repeat characters.
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
