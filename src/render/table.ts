import stringWidth from 'string-width';
import { shorten } from './shorten.ts';
import { paint, span, type TextStyle } from './spans.ts';
import { visible } from './visible.ts';

interface Column {
  readonly header: string;
  readonly align?: 'left' | 'right';
  /** A part of such a value says nothing, as of an id or a number: it is never shortened. */
  readonly whole?: boolean;
}

const GAP = '  ';

/** A column is not shortened below this: less says nothing. */
const COLUMN_MIN = 4;

/** No cell is drawn wider than this, even where the width is unlimited. */
const CELL_COLUMNS_MAX = 400;

/**
 * A table with its headings. Wide characters count as two columns; where the table is wider than the terminal,
 * headings are broken at their spaces and the widest cells shortened, as far as they may be. Ends with a line
 * break.
 */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  style: TextStyle,
): string {
  const cells = rows.map((row) => columns.map((_, index) => safeCell(row[index] ?? '')));
  const headers = columns.map(({ header }) => safeCell(header));
  const natural = widthsOf([headers, ...cells]);
  const values = widthsOf(cells);
  const least = columns.map(({ whole }, index) =>
    whole === true ? Math.max(values[index] ?? 0, longestWord(headers[index] ?? '')) : 0,
  );
  const widths = fitColumns(natural, least, style.width);
  const headings = headingLines(headers, widths);
  const lines = [...headings, ...cells].map((row, line) => {
    const text = columns
      .map(({ align }, index) => pad(row[index] ?? '', widths[index] ?? 0, align))
      .join(GAP);
    return paint(span(text.trimEnd(), line < headings.length ? 'strong' : 'plain'), style);
  });
  return `${lines.join('\n')}\n`;
}

function longestWord(text: string): number {
  return Math.max(...text.split(' ').map((word) => stringWidth(word)));
}

/** The headings, each broken to its column's width and standing right above the values. */
function headingLines(headers: readonly string[], widths: readonly number[]): readonly (readonly string[])[] {
  const broken = headers.map((header, index) => brokenAt(header, widths[index] ?? 0));
  const height = Math.max(1, ...broken.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    broken.map((lines) => lines[line - height + lines.length] ?? ''),
  );
}

function brokenAt(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    const longer = `${last ?? ''} ${word}`;
    if (last !== undefined && stringWidth(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** A cell's text, safe to print and of sane length. */
function safeCell(text: string): string {
  return shorten(visible(text), CELL_COLUMNS_MAX);
}

/** The widest cell of each column. */
function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  return rows.reduce<readonly number[]>(
    (widest, row) => row.map((cell, index) => Math.max(widest[index] ?? 0, stringWidth(cell))),
    [],
  );
}

/** Widths so that a row fits: the widest give way first, to no less than they must have. */
function fitColumns(natural: readonly number[], least: readonly number[], width: number): readonly number[] {
  const room = width - GAP.length * Math.max(0, natural.length - 1);
  const capped = (cap: number) =>
    natural.map((columns, index) => Math.min(columns, Math.max(cap, least[index] ?? 0)));
  let cap = Math.max(COLUMN_MIN, ...natural);
  const used = (): number => capped(cap).reduce((sum, columns) => sum + columns, 0);
  while (cap > COLUMN_MIN && used() > room) cap -= 1;
  return capped(cap);
}

/** A cell in exactly its column: shortened or filled with spaces. */
function pad(text: string, columns: number, align: Column['align'] = 'left'): string {
  const shown = shorten(text, columns);
  const filling = ' '.repeat(Math.max(0, columns - stringWidth(shown)));
  return align === 'right' ? filling + shown : shown + filling;
}
