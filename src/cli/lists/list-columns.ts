import type { ListColumn } from '../../domain/list-column.ts';
import { valueAt } from '../../render/cells.ts';
import type { ListFormat } from '../formats.ts';
import { ACCOUNT_COLUMN, knownColumns, type ListDefinition } from '../../api/lists.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/** A row of a list for the sinks: the service's members, after the account. */
export type ListItem = Readonly<Record<string, unknown>>;

/** The columns of a list. */
export type ColumnSet = Pick<
  ListDefinition,
  'who' | 'argument' | 'columns' | 'more' | 'filledWhenReadable' | 'totals'
>;

/**
 * The columns to show: those of `--columns`, or the default ones. The account is one of them if the command can have
 * several, for any number of accounts, so that a script that cuts columns works with more accounts too. Throws for an
 * unknown column, and for a format without columns.
 */
export function chooseColumns(
  definition: ColumnSet,
  asked: string | undefined,
  format: ListFormat,
): readonly ListColumn[] {
  if (asked !== undefined && format !== 'table' && format !== 'csv')
    throw new HeraldError(
      'bad-flag',
      `--columns works with table and csv only. ${format} prints whole items.`,
      'Select members with a tool such as jq.',
    );
  if (asked === undefined) {
    const columns = definition.columns.filter(({ wide, lookedUp }) =>
      format === 'table' ? wide !== true : lookedUp !== true,
    );
    const withAccount =
      definition.who !== 'organisation' && (format !== 'table' || definition.argument === undefined);
    return withAccount ? [ACCOUNT_COLUMN, ...columns] : columns;
  }
  return asked.split(',').map((name) => findColumn(definition, name.trim()));
}

/**
 * The column with this path. Whole members (`metadata`) and nested paths (`messages.0.text`) are accepted, because
 * the service may put anything there. Throws for any other.
 */
function findColumn(definition: ColumnSet, path: string): ListColumn {
  const known = knownColumns(definition);
  const found = known.find((column) => column.path === path);
  if (found !== undefined) return found;
  const [root = '', ...below] = path.split('.');
  if (!below.includes('') && known.some((column) => column.path.split('.')[0] === root)) return { path };
  const paths = known.map((column) => column.path).join(', ');
  throw new HeraldError('bad-flag', `--columns: unknown column "${path}".`, `Use one of: ${paths}.`);
}

/** The value of a column. Undefined for a figure of content that the service could not read. */
export function valueOf(definition: ColumnSet, item: ListItem, column: ListColumn): unknown {
  if (column.figure === true && isUnreadable(definition, item)) return undefined;
  return valueAt(item, column.path);
}

/** An unreadable broadcast has no messages, and all its figures are zero (BROADCAST-23). */
function isUnreadable({ filledWhenReadable }: ColumnSet, item: ListItem): boolean {
  if (filledWhenReadable === undefined) return false;
  const content = item[filledWhenReadable];
  return !Array.isArray(content) || content.length === 0;
}
