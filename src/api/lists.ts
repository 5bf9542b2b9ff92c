import type { ListColumn } from '../domain/list-column.ts';
import { CATALOGUE, rowOf, type Operation } from './catalogue.ts';
import type { ListOperation } from './pages.ts';
import type { List } from './row.ts';

type Rows = typeof CATALOGUE;

/** The two words of each list command. */
export type ListName = {
  [Name in Operation]: Rows[Name] extends { readonly list: { readonly words: infer Words } } ? Words : never;
}[Operation];

/** A list command: the `list` of its row, and what else the row says about it. */
export interface ListDefinition extends Omit<List, 'words' | 'filters' | 'more'> {
  /** Balances are one answer for each account, shown as a row. */
  readonly operation: ListOperation | 'payouts.balances';
  /** For help, one line. */
  readonly summary: string;
  /** The owner of the rows: an account by the service's id, by the platform's id, or the whole organisation. */
  readonly who: 'account' | 'platform' | 'organisation';
  readonly filters: NonNullable<List['filters']>;
  readonly more: readonly ListColumn[];
}

const LISTS: ReadonlyMap<string, ListDefinition> = new Map(
  (Object.keys(CATALOGUE) as Operation[]).flatMap(listsOfRow),
);

function listsOfRow(operation: Operation): readonly (readonly [string, ListDefinition])[] {
  const { list, title, path } = rowOf(operation);
  if (list === undefined) return [];
  const { words, filters = [], more = [], ...rest } = list;
  const summary = `${title.charAt(0).toLowerCase()}${title.slice(1)}`;
  const owner = path.includes('{platform_account_id}') ? 'platform' : 'organisation';
  const who = path.includes('{account_id}') ? 'account' : owner;
  // A row with a list has the traits of one, which a test compares.
  const name = operation as ListDefinition['operation'];
  return [[words, { ...rest, operation: name, summary, who, filters, more }]];
}

export const LIST_NAMES = [...LISTS.keys()] as readonly ListName[];

/** The definition of a list command. */
export function findList(name: ListName): ListDefinition {
  const found = LISTS.get(name);
  if (found === undefined) throw new Error(`no list is named ${name}`);
  return found;
}

/** The account is a column of each list that can have several. */
export const ACCOUNT_COLUMN: ListColumn = { path: 'account' };

/** The columns that `--columns` takes. */
export function knownColumns({
  who,
  columns,
  more,
}: Pick<ListDefinition, 'who' | 'columns' | 'more'>): readonly ListColumn[] {
  return [...(who === 'organisation' ? [] : [ACCOUNT_COLUMN]), ...columns, ...more];
}
