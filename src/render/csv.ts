import { stringify } from 'csv-stringify/sync';
import { harmless, type Visible } from '../domain/visible.ts';
import { compactJson } from './json.ts';

/** What the library does not take for the beginning of a formula, and some programs skip before one. */
const LINE_FEED = /^\n/;

/**
 * Lines of comma-separated values, each with its line break; null is empty. Values stand as they came but for what a
 * program would obey: text that a spreadsheet would run as a formula gets an apostrophe before it (numbers never do),
 * and what steers a terminal or a CI runner is shown as an escape. JSON holds every text exactly.
 */
export function renderCsv(rows: readonly (readonly unknown[])[]): Visible {
  const text = stringify(
    rows.map((row) => row.map(fieldOf)),
    { escape_formulas: true },
  );
  return harmless(text.replaceAll('\r\n', '\n'));
}

/** What CSV can hold as it is; lists and objects become JSON, because a cell has no other way to keep them. */
function fieldOf(value: unknown): string | number | bigint {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value.replace(LINE_FEED, "'\n");
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return typeof value === 'boolean' ? String(value) : compactJson(value);
}
