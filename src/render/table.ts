import { assumeVisible, joined, page, paragraphs, shown, type Visible, visible } from '../domain/visible.ts';
import stringWidth from 'string-width';
import { drawLine, span, type TextStyle, shorten } from './spans.ts';

interface Column {
  readonly header: string;
  readonly align?: 'left' | 'right';
  /** Set for ids and numbers, which are never cut. */
  readonly whole?: boolean;
}

const GAP = '  ';

/** Smallest width of a cut column. */
const COLUMN_MIN = 10;

/** Largest width of a cell, even without a limit of the terminal. */
const CELL_COLUMNS_MAX = 400;

/**
 * A table with headings. Wide characters count as two columns. If the table is wider than the terminal, headings are
 * wrapped and the widest cells cut. If too little of them would be left, each row becomes a block with one cell per
 * line. Ends with a line break.
 */
export function renderTable(
  given: readonly (Column | string)[],
  rows: readonly (readonly string[])[],
  style: TextStyle,
): Visible {
  const columns = given.map((one): Column => (typeof one === 'string' ? { header: one } : one));
  const cells = rows.map((row) => columns.map((_, index) => safeCell(row[index] ?? '')));
  const headers = columns.map(({ header }) => safeCell(header));
  const natural = measureColumns([headers, ...cells]);
  const values = measureColumns(cells);
  const least = columns.map(({ whole }, index) => {
    const words = (headers[index] ?? '').split(' ');
    const needed = Math.max(values[index] ?? 0, ...words.map((word) => stringWidth(word)));
    return whole === true ? needed : Math.min(needed, COLUMN_MIN);
  });
  const space = style.width - GAP.length * Math.max(0, columns.length - 1);
  if (cells.length > 0 && sum(least) > space) {
    // One block per row. A line without a value looks cut off.
    const fields = cells.map((row) => headers.map((header, index): Field => [header, row[index] || '-']));
    return paragraphs(fields.map((one) => drawFields(one, style)));
  }
  const widths = fitColumns(natural, least, space);
  const headings = headingLines(headers, widths);
  const drawRow = (row: readonly Visible[]) => {
    const padded = columns.map(({ align }, index) => pad(row[index] ?? shown``, widths[index] ?? 0, align));
    return assumeVisible(padded.join(GAP).trimEnd());
  };
  const strong = headings.map((row) => span(drawRow(row), 'strong'));
  const first = strong.flatMap((line) => drawLine([line], { ...style, width: Infinity }));
  return page([...first, ...cells.map(drawRow)]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The headings, wrapped to the width of their columns and aligned to the bottom. */
function headingLines(
  headers: readonly Visible[],
  widths: readonly number[],
): readonly (readonly Visible[])[] {
  const broken = headers.map((header, index) => brokenAt(header, widths[index] ?? 0));
  const height = Math.max(1, ...broken.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    broken.map((lines) => lines[line - height + lines.length] ?? shown``),
  );
}

function brokenAt(text: Visible, columns: number): readonly Visible[] {
  const lines: Visible[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    const longer = shown`${last ?? ''} ${word}`;
    if (last !== undefined && stringWidth(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(assumeVisible(word));
  }
  return lines;
}

function safeCell(text: string): Visible {
  return shorten(visible(text), CELL_COLUMNS_MAX);
}

function measureColumns(rows: readonly (readonly string[])[]): readonly number[] {
  return rows.reduce<readonly number[]>(
    (widest, row) => row.map((cell, index) => Math.max(widest[index] ?? 0, stringWidth(cell))),
    [],
  );
}

/** Widths that make a row fit. The widest columns shrink first, down to their minimum. */
function fitColumns(natural: readonly number[], least: readonly number[], space: number): readonly number[] {
  const capped = (cap: number) =>
    natural.map((columns, index) => Math.min(columns, Math.max(cap, least[index] ?? 0)));
  let cap = Math.max(1, ...natural);
  while (cap > 1 && sum(capped(cap)) > space) cap -= 1;
  return capped(cap);
}

/** A cell with the exact width of its column: cut, or filled with spaces. */
function pad(text: Visible, columns: number, align: Column['align'] = 'left'): string {
  const cut = shorten(text, columns);
  const filling = ' '.repeat(Math.max(0, columns - stringWidth(cut)));
  return align === 'right' ? filling + cut : cut + filling;
}

export type Field = readonly [label: string, value: string];

const FIELD_GAP = 2;

/** One field per line, with aligned values, unless labels take more than half of the width. */
export function drawFields(all: readonly Field[], style: TextStyle): readonly Visible[] {
  const fields = all.map(([label, value]) => [visible(label), visible(value)] as const);
  const labelWidth = Math.max(0, ...fields.map(([label]) => stringWidth(label))) + FIELD_GAP;
  const isAligned = 2 * labelWidth <= style.width;
  return fields.flatMap(([label, value]) => {
    const filling = visible(isAligned ? ' '.repeat(labelWidth - stringWidth(label)) : ': ');
    const hang = isAligned ? labelWidth : FIELD_GAP;
    return drawLine([span(label, 'dim'), span(joined([filling, value], ''))], style, 0, hang);
  });
}
