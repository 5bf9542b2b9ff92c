import type { ListColumn } from '../../domain/list-column.ts';
import { valueAt } from '../../render/cells.ts';
import { CommandError } from '../failure.ts';
import type { ListDefinition } from '../../operations/lists/definition.ts';

/** A row of a list as the sinks get it: the service's members, and whose they are. */
export type ListItem = Readonly<Record<string, unknown>>;

/** What is known of the columns of a list, wherever its rows come from. */
export type ColumnSet = Pick<ListDefinition, 'who' | 'columns' | 'more' | 'filledWhenReadable'>;

const ACCOUNT: ListColumn = { path: 'account' };

/**
 * The columns to show: those that were asked for, or the usual ones. An account that tells nothing apart is
 * left out of tables (`withAccount` false). Throws for a column that nothing is known about.
 */
export function chooseColumns(
  definition: ColumnSet,
  asked: string | undefined,
  withAccount: boolean,
): readonly ListColumn[] {
  if (asked === undefined) return withAccount ? [ACCOUNT, ...definition.columns] : definition.columns;
  return asked.split(',').map((name) => findColumn(definition, name.trim(), '--columns'));
}

/**
 * The column with this path. A whole member (`metadata`) and what is below it (`messages.0.text`) are known as
 * well: what the service puts there is its own. Throws for any other.
 */
export function findColumn(definition: ColumnSet, path: string, flag: string): ListColumn {
  const known = knownColumns(definition);
  const found = known.find((column) => column.path === path);
  if (found !== undefined) return found;
  const [root = '', ...below] = path.split('.');
  if (!below.includes('') && known.some((column) => column.path.split('.')[0] === root)) return { path };
  const paths = known.map((column) => column.path).join(', ');
  throw new CommandError('bad-flag', `${flag}: there is no column "${path}".`, `There are: ${paths}.`);
}

function knownColumns({ who, columns, more }: ColumnSet): readonly ListColumn[] {
  return [...(who === 'organisation' ? [] : [ACCOUNT]), ...columns, ...more];
}

/** The value of a column, or undefined where a figure stands for content that the service could not read. */
export function valueOf(definition: ColumnSet, item: ListItem, column: ListColumn): unknown {
  if (column.figure === true && isUnreadable(definition, item)) return undefined;
  return valueAt(item, column.path);
}

/** An unreadable broadcast comes with no messages and every figure at zero (BROADCAST-23). */
function isUnreadable({ filledWhenReadable }: ColumnSet, item: ListItem): boolean {
  if (filledWhenReadable === undefined) return false;
  const content = item[filledWhenReadable];
  return !Array.isArray(content) || content.length === 0;
}
