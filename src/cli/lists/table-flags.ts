import type { ListColumn } from '../../domain/list-column.ts';
import { CommandError } from '../failure.ts';
import { chooseColumns, findColumn, type ColumnSet } from './list-columns.ts';
import type { ListFormat } from '../formats.ts';
import type { ListSort } from './sinks.ts';

/** The column of `--sort`. Throws for a format that is not sorted, and for an unknown column. */
export function chooseSort(
  definition: ColumnSet,
  format: ListFormat,
  asked: string | undefined,
): ListSort | null {
  if (asked === undefined) return null;
  if (format !== 'table')
    throw new CommandError(
      'bad-flag',
      `--sort works with tables only, because ${format} is printed while the list is read.`,
    );
  const descending = asked.startsWith('-');
  return { column: findColumn(definition, descending ? asked.slice(1) : asked, '--sort'), descending };
}

/** The columns to show. Throws for unknown ones, and for a format without columns. */
export function columnsFor(
  definition: ColumnSet,
  format: ListFormat,
  asked: string | undefined,
): readonly ListColumn[] {
  if (asked !== undefined && format !== 'table' && format !== 'csv')
    throw new CommandError(
      'bad-flag',
      `--columns works with table and csv only. ${format} prints whole items.`,
      'Select members with a tool such as jq.',
    );
  return chooseColumns(definition, asked, format);
}
