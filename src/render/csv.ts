import { stringify } from 'csv-stringify/sync';
import { harmless, type Visible } from '../domain/visible.ts';
import { compactJson } from './json.ts';

/** A line feed at the start, which some programs skip before a formula but the library does not check. */
const LINE_FEED = /^\n/;

/** A formula behind a semicolon, which separates cells where a comma is the decimal sign. */
const FORMULA_BEHIND_SEMICOLON = /;(?=[=@]|[+-][\w("'][^;]*[(|!])/g;

/**
 * Lines of comma-separated values. Null is empty. Values are unchanged, except text that a program would run: a
 * spreadsheet formula gets an apostrophe (numbers never do), and control sequences of terminals and CI runners become
 * escapes. JSON has every text exactly.
 */
export function renderCsv(rows: readonly (readonly unknown[])[]): Visible {
  const text = stringify(
    rows.map((row) => row.map(toField)),
    // Quoted, so that a semicolon or a tab is part of its cell where it separates.
    { escape_formulas: true, quoted_match: /[;\t]/ },
  );
  return harmless(text.replaceAll('\r\n', '\n'));
}

/** Values that CSV can hold. Lists and objects become JSON. */
function toField(value: unknown): string | number | bigint {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string')
    return value.replace(LINE_FEED, "'\n").replace(FORMULA_BEHIND_SEMICOLON, ";'");
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return typeof value === 'boolean' ? String(value) : compactJson(value);
}
