import stringWidth from 'string-width';
import type { PrintedDiagnostic } from '../domain/diagnostic.ts';
import { blanks, joined, shown, type Visible, visible } from '../domain/visible.ts';

/** The lines of files, by path. */
export type SourceTexts = ReadonlyMap<string, readonly string[]>;

/** Longer lines are shown around the place. */
const LINE_UNITS_MAX = 120;
const BEFORE_UNITS = 60;

/** A user name and perhaps a password in an address. Such a line is not shown. */
const USER_INFO = /:\/\/[^/\s"']*@/;

/**
 * The line of a finding, and a mark below its column. Empty if the line is not known.
 *
 * ```text
 *   13 |         price_gross: 14.5
 *      |                      ^
 * ```
 */
export function sourceLines(
  { file = '', line = 0, column = 1 }: Pick<PrintedDiagnostic, 'file' | 'line' | 'column'>,
  texts: SourceTexts,
): readonly Visible[] {
  const text = texts.get(file)?.[line - 1];
  if (text === undefined || text.trim() === '' || USER_INFO.test(text)) return [];
  const from = column > LINE_UNITS_MAX - BEFORE_UNITS ? column - 1 - BEFORE_UNITS : 0;
  const before = visible(text.slice(from, column - 1));
  const rest = visible(text.slice(column - 1, from + LINE_UNITS_MAX).trimEnd());
  const number = shown`  ${line} | `;
  return [
    joined([number, from > 0 ? shown`…` : shown``, before, rest], ''),
    joined(
      [blanks(number.length - 2), shown`| `, blanks(stringWidth(before) + Number(from > 0)), shown`^`],
      '',
    ),
  ];
}
