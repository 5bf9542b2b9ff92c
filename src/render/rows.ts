import { readMember } from '../domain/field-path.ts';
import type { CellKind, ListColumn } from '../domain/list-column.ts';
import { joined, page, shown, type Visible } from '../domain/visible.ts';
import { compactJson } from './json.ts';
import type { TextStyle } from './spans.ts';
import { drawFields, renderTable, type Field } from './table.ts';
import { cellText, formatTime, formatValue } from './values.ts';

/** A row of a list: the service's members, after the account. */
export type ListItem = Readonly<Record<string, unknown>>;

/** Rows that are written together. A list without rows is one part. */
export interface Part {
  readonly columns: readonly ListColumn[];
  readonly items: readonly ListItem[];
  /** The first part has the head of the list. */
  readonly isFirst: boolean;
  /** The last part of a JSON document says what the service says about each list. */
  readonly end?: DocumentEnd | undefined;
  readonly style: TextStyle;
}

interface DocumentEnd {
  readonly isEmpty: boolean;
  readonly isComplete: boolean;
  readonly pages: readonly object[];
}

/** How a part is drawn in the formats that need no library. */
export const ROW_DRAWINGS = {
  table: drawTable,
  json: drawJson,
  ndjson: ({ items }: Part) =>
    joined(
      items.map((item) => page([compactJson(item)])),
      '',
    ),
};

function drawTable({ items, isFirst, columns, style }: Part): Visible {
  const cells = items.map((item) => columns.map((column) => cellText(readColumn(item, column), column)));
  const table = renderTable(columns.map(makeHeading), cells, style);
  return isFirst ? table : joined([shown`\n`, table], '');
}

const RIGHT: readonly CellKind[] = ['number', 'money'];

const WHOLE: readonly CellKind[] = ['whole', 'number', 'money', 'instant'];

function makeHeading({ path, header = path, as = 'text' }: ListColumn) {
  return { header, align: RIGHT.includes(as) ? 'right' : 'left', whole: WHOLE.includes(as) } as const;
}

/** `herald/list/1`, streamed with one item per line. */
function drawJson({ items, isFirst, end }: Part): Visible {
  const begin = shown`{\n  "schema": "herald/list/1",\n  "items": [`;
  const lines = items.flatMap((item, at) => [
    isFirst && at === 0 ? shown`\n    ` : shown`,\n    `,
    compactJson(item),
  ]);
  const last = end === undefined ? [] : drawEnd(end);
  return joined([...(isFirst ? [begin] : []), ...lines, ...last], '');
}

function drawEnd({ isEmpty, isComplete, pages }: DocumentEnd): readonly Visible[] {
  return [
    isEmpty ? shown`]` : shown`\n  ]`,
    shown`,\n  "complete": ${String(isComplete)}`,
    ...(pages.length === 0 ? [] : [shown`,\n  "pages": `, compactJson(pages)]),
    shown`\n}\n`,
  ];
}

/** Undefined for figures of an unreadable broadcast: it has no messages, and all are zero (BROADCAST-23). */
export function readColumn(item: ListItem, column: ListColumn): unknown {
  const { messages } = item;
  if (column.figure === true && !(Array.isArray(messages) && messages.length > 0)) return undefined;
  return readMember(item, ...column.path.split('.'));
}

/** One item as lines, in words: the columns of its list, without those that are looked up for many rows. */
export function drawItem(
  { colour, width }: TextStyle,
  list: { readonly columns: readonly ListColumn[]; readonly more?: readonly ListColumn[] },
  account: string,
  item: ListItem,
): readonly Visible[] {
  const columns = [...list.columns, ...(list.more ?? [])].filter(({ lookedUp }) => lookedUp !== true);
  const fields = columns.map((column): Field => [
    column.header ?? column.path,
    formatCell(column, readColumn(item, column)),
  ]);
  return drawFields([['account', account], ...fields], { colour, width });
}

function formatCell(column: ListColumn, value: unknown): string {
  const text = cellText(value, column);
  if (column.as === 'audience') return formatValue('audience', text, null) ?? text;
  const time = column.as === 'instant' && typeof value === 'string' ? formatTime(value, null) : null;
  return time ?? formatValue(column.path, value, null) ?? text;
}
