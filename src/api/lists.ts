import type { ListColumn } from '../domain/list-column.ts';
import { CATALOGUE, rowOf, type Operation } from './catalogue.ts';
import { makeColumns } from './columns.ts';
import type { ListOperation } from './pages.ts';
import { FILTERS, type FilterName, type List } from './row.ts';

/** The operations with a list command. Balances are one answer for each account, shown as a row. */
export type ListedOperation = ListOperation | 'payouts.balances';

/** The two words of each list command: `campaigns list` for `campaigns.list`. */
export type ListName = ListedOperation extends infer Name
  ? Name extends `${infer Group}.${infer Verb}`
    ? `${Group} ${Verb}`
    : never
  : never;

/** A list command: the `list` of its row, and what else the row says about it. */
export interface ListDefinition extends Omit<List, 'columns' | 'more' | 'cells'> {
  readonly operation: ListedOperation;
  /** For help, one line. */
  readonly summary: string;
  /** Name of the rows, for progress. */
  readonly rows: string;
  /** The owner of the rows: an account by the service's id, by the platform's id, or the whole organisation. */
  readonly who: 'account' | 'platform' | 'organisation';
  readonly filters: readonly FilterName[];
  readonly columns: readonly ListColumn[];
  readonly more: readonly ListColumn[];
}

function makeDefinition(operation: ListedOperation, list: List): ListDefinition {
  const { title, path, query } = rowOf(operation);
  const { columns, more = '', cells, ...rest } = list;
  const [group = '', verb = ''] = operation.split('.');
  const owner = path.includes('{platform_account_id}') ? 'platform' : 'organisation';
  return {
    ...rest,
    operation,
    summary: `${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    rows: verb === 'list' ? group : verb,
    who: path.includes('{account_id}') ? 'account' : owner,
    filters: (Object.keys(query.shape) as FilterName[]).filter((name) => Object.hasOwn(FILTERS, name)),
    columns: makeColumns(columns, cells),
    more: makeColumns(more, cells),
  };
}

export const LIST_COMMANDS = Object.fromEntries(
  (Object.keys(CATALOGUE) as Operation[]).flatMap((operation) => {
    const { list } = rowOf(operation);
    // A row with a list has the traits of one, which a test compares.
    const listed = operation as ListedOperation;
    return list === undefined ? [] : [[operation.replace('.', ' '), makeDefinition(listed, list)]];
  }),
) as Readonly<Record<ListName, ListDefinition>>;

export const LIST_NAMES = Object.keys(LIST_COMMANDS) as readonly ListName[];

/** The account is a column of each list that can have several. */
export const ACCOUNT_COLUMN: ListColumn = { path: 'account' };
