import stringWidth from 'string-width';
import { shorten } from './shorten.ts';
import { paint, span, type TextStyle } from './spans.ts';
import { visible } from './visible.ts';

interface Column {
  readonly header: string;
  readonly align?: 'left' | 'right';
}

const GAP = '  ';

/** A column is not shortened below this: less says nothing. */
const COLUMN_MIN = 4;

/** No cell is drawn wider than this, even where the width is unlimited. */
const CELL_COLUMNS_MAX = 400;

/**
 * A table with a header line. Wide characters count as two columns; where the table is wider than the
 * terminal, its widest column is shortened. Ends with a line break.
 */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  style: TextStyle,
): string {
  const cells = rows.map((row) => columns.map((_, index) => safeCell(row[index] ?? '')));
  const headers = columns.map(({ header }) => safeCell(header));
  const widths = fitColumns([headers, ...cells], style.width);
  const lines = [headers, ...cells].map((row, line) => {
    const text = columns
      .map(({ align }, index) => pad(row[index] ?? '', widths[index] ?? 0, align))
      .join(GAP);
    return paint(span(text.trimEnd(), line === 0 ? 'strong' : 'plain'), style);
  });
  return `${lines.join('\n')}\n`;
}

/** A cell's text, safe to print and of sane length. */
function safeCell(text: string): string {
  return shorten(visible(text), CELL_COLUMNS_MAX);
}

/** Columns of each cell so that a row fits the width: the widest give way first. */
function fitColumns(rows: readonly (readonly string[])[], width: number): readonly number[] {
  const natural = rows.reduce<readonly number[]>(
    (widest, row) => row.map((cell, index) => Math.max(widest[index] ?? 0, stringWidth(cell))),
    [],
  );
  const room = width - GAP.length * Math.max(0, natural.length - 1);
  const cap = columnCap(natural, room);
  return natural.map((columns) => Math.min(columns, cap));
}

/** The greatest cap under which all columns fit into the room; as low as COLUMN_MIN where none does. */
function columnCap(natural: readonly number[], room: number): number {
  let cap = Math.max(COLUMN_MIN, ...natural);
  const used = (): number => natural.reduce((sum, columns) => sum + Math.min(columns, cap), 0);
  while (cap > COLUMN_MIN && used() > room) cap -= 1;
  return cap;
}

/** A cell in exactly its column: shortened or filled with spaces. */
function pad(text: string, columns: number, align: Column['align'] = 'left'): string {
  const shown = shorten(text, columns);
  const filling = ' '.repeat(Math.max(0, columns - stringWidth(shown)));
  return align === 'right' ? filling + shown : shown + filling;
}
