import type { ListColumn } from '../../domain/list-column.ts';
import { CommandError } from '../failure.ts';
import { chooseColumns, findColumn, type ColumnSet } from './list-columns.ts';
import type { ListFormat } from '../formats.ts';
import type { ListSort } from './sinks.ts';

/** The column that `--sort` names. Throws where nothing is sorted, and for a column that nobody knows. */
export function chooseSort(
  definition: ColumnSet,
  format: ListFormat,
  asked: string | undefined,
): ListSort | null {
  if (asked === undefined) return null;
  if (format !== 'table')
    throw new CommandError(
      'bad-flag',
      `--sort goes with tables only; ${format} is printed while the list is read.`,
    );
  const descending = asked.startsWith('-');
  return { column: findColumn(definition, descending ? asked.slice(1) : asked, '--sort'), descending };
}

/** The columns to show. Bad ones are refused at once; which are usual depends on how many accounts there are. */
export function columnsFor(
  definition: ColumnSet,
  format: ListFormat,
  asked: string | undefined,
): (severalAccounts: boolean) => readonly ListColumn[] {
  if (asked !== undefined && format !== 'table' && format !== 'csv')
    throw new CommandError(
      'bad-flag',
      `--columns goes with table and csv; in ${format} every item is whole.`,
      'Pick members with a tool such as jq.',
    );
  chooseColumns(definition, asked, true);
  return (severalAccounts: boolean) => {
    // A file of values keeps its columns, however many accounts there are.
    const withAccount = definition.who !== 'organisation' && (severalAccounts || format === 'csv');
    return chooseColumns(definition, asked, withAccount);
  };
}
