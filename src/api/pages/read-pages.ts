import * as z from 'zod';
import { digest } from '../../domain/digest.ts';
import { maybe } from '../../domain/replies.ts';
import { CATALOGUE, type CallInput, type Operation, type Reply } from '../catalogue.ts';
import type { Client } from '../client.ts';
import { ServiceError } from '../errors.ts';
import { withOddValues } from '../odd-values.ts';
import type { Row } from '../row.ts';
import { cursorPages } from './cursor.ts';
import { HAS_MORE_PAGES_MAX, hasMorePages } from './has-more.ts';
import { messageIdPages } from './message-id.ts';
import { offsetTotalPages } from './offset-total.ts';
import { markerPages, offsetPages } from './offset.ts';
import { NO_ID, warnOfManyPages, type ListFacts, type Page, type Place, type Scan } from './scan.ts';
import { singlePage } from './single.ts';

type Rows = typeof CATALOGUE;
type ListPaging = Extract<Row['paging'], { readonly items: string }>;

/** The operations that list something. Their row names the member with the items. */
export type ListOperation = {
  [Name in Operation]: Rows[Name]['paging'] extends ListPaging ? Name : never;
}[Operation];

type ItemsMember<Name extends ListOperation> = Rows[Name]['paging']['items'];

/** One item of the operation's list, parsed by the row. */
export type ItemOf<Name extends ListOperation> =
  Reply<Name> extends Readonly<Record<ItemsMember<Name>, readonly (infer Item)[]>> ? Item : never;

type PagingKey = 'limit' | 'offset' | 'cursor' | 'marker' | 'message_id';

/** The input of the operation, without the paging parameters. */
export interface ListInput<Name extends ListOperation> {
  readonly params: CallInput<Name>['params'];
  readonly query?: Omit<NonNullable<CallInput<Name>['query']>, PagingKey>;
}

export interface PageOptions {
  /** The maximum number of items; without it, all. */
  readonly limit?: number;
  /** Receives warnings. */
  readonly onWarning?: (sentence: string) => void;
  /** Told that rows may be missing although the list ended. Without it, this is a warning. */
  readonly onDoubt?: (sentence: string) => void;
  /**
   * Set for lists that people look at: a row without its id is given, and values of another type than documented as they
   * came.
   */
  readonly asAnswered?: true;
  /** The position of the first page. */
  readonly start?: Place;
  /** Told of what replies say about the list. A `next_cursor` stands for the end of the last row that is given. */
  readonly onFacts?: (facts: ListFacts) => void;
  /** The number of pages after which the list counts as endless. By default the paging style decides. */
  readonly pagesMax?: number;
}

/** 10 million rows or more. Of these lists no more than a few pages are held at once. */
const PAGES_MAX = 100_000;

/**
 * Reads a list page by page in the way of its row (LIST-1 to LIST-7) and gives the items in order; each once
 * where the style can tell. It asks for the largest page that the row allows.
 * Throws `IncompleteScanError` when the list cannot be read to its end, `ServiceError` when a page fails
 * and `InvalidCallError` before anything is sent; what was given until then stays true.
 */
export async function* readPages<Name extends ListOperation>(
  client: Client,
  operation: Name,
  input: ListInput<Name>,
  options: PageOptions = {},
): AsyncGenerator<readonly ItemOf<Name>[], void> {
  const { limit = Number.POSITIVE_INFINITY, onFacts = () => undefined } = options;
  let left = limit;
  if (left <= 0) return;
  const { paging } = CATALOGUE[operation];
  let facts: ListFacts = {};
  const hear = (heard: ListFacts) => {
    facts = { ...facts, ...heard };
  };
  const scan = scanOf(client, operation, paging, input, { ...options, onFacts: hear });
  for await (const items of pagesOf(paging, scan)) {
    const some = items.length > left ? items.slice(0, left) : items;
    left -= some.length;
    const { next_cursor: next, ...others } = facts;
    // A cursor is for the end of a page. In the middle of one it would skip rows.
    onFacts(left === 0 && next !== undefined && some.length === items.length ? facts : others);
    facts = others;
    if (some.length > 0) yield some;
    if (left === 0) return;
  }
}

function pagesOf<Item>(paging: ListPaging, scan: Scan<Item>): AsyncGenerator<readonly Item[], void> {
  switch (paging.style) {
    case 'none':
      return singlePage(scan);
    case 'cursor':
      return cursorPages(scan, paging.next);
    case 'offset':
      return offsetPages(scan, paging.mayCap === true);
    case 'offset_total':
      return offsetTotalPages(scan);
    case 'has_more':
      return hasMorePages(scan);
    case 'marker':
      return markerPages(scan);
    case 'message_id':
      return messageIdPages(scan);
  }
}

function scanOf<Name extends ListOperation>(
  client: Client,
  operation: Name,
  paging: ListPaging,
  input: ListInput<Name>,
  {
    limit = Number.POSITIVE_INFINITY,
    onWarning = () => undefined,
    onDoubt = onWarning,
    onFacts = () => undefined,
    asAnswered,
    start = {},
    pagesMax = paging.style === 'has_more' ? HAS_MORE_PAGES_MAX : PAGES_MAX,
  }: PageOptions,
): Scan<ItemOf<Name>> {
  const { least, most } = paging.pageLimit;
  const pageSize = Math.min(most, Math.max(least, limit));
  const list = { what: describe(operation, input.params), pagesMax };
  return {
    ...list,
    pageSize,
    identityOf: (item) => identityOf(paging.identity, item),
    onWarning,
    onDoubt,
    onFacts,
    start,
    ask: warnOfManyPages(list, client.warnOnce, ({ offset, handedBack = {} }: Place) =>
      askPage<ItemOf<Name>>(
        client,
        operation,
        { member: paging.items, asAnswered },
        {
          params: input.params,
          query: { ...input.query, limit: pageSize, ...(offset === undefined ? {} : { offset }) },
          handedBack,
        },
      ),
    ),
  };
}

async function askPage<Item>(
  client: Client,
  operation: ListOperation,
  { member, asAnswered }: { readonly member: string; readonly asAnswered: true | undefined },
  input: Parameters<Client['callLoosely']>[1],
): Promise<Page<Item>> {
  const result = await client.callLoosely(operation, input, asAnswered && rowToShow(operation));
  if (result.kind !== 'done') throw new ServiceError(result.problem);
  // The row's own shape parsed the reply: `items` is an array of what `ItemOf` is derived from.
  const parsed = asAnswered === true ? withOddValues(result.reply, result.text) : result.reply;
  const reply = parsed as Readonly<Record<string, unknown>>;
  return { items: reply[member] as readonly Item[], reply };
}

/** The row for a list that decides nothing: an item may lack its id. */
function rowToShow(operation: ListOperation): Row {
  const row: Row = CATALOGUE[operation];
  const { paging, reply } = row;
  if (!('items' in paging) || !(reply instanceof z.ZodObject)) return row;
  const list: unknown = reply.shape[paging.items];
  const item = list instanceof z.ZodArray ? list.element : null;
  if (!(item instanceof z.ZodObject) || paging.identity === 'whole') return row;
  const shown = item.extend({ [paging.identity]: maybe(item.shape[paging.identity]) });
  return { ...row, reply: reply.extend({ [paging.items]: z.array(shown) }) };
}

/** `revenue.transactions (platform_a, 555)` */
function describe(operation: Operation, params: object): string {
  const given = Object.values(params).map(String);
  return given.length === 0 ? operation : `${operation} (${given.join(', ')})`;
}

function identityOf(identity: ListPaging['identity'], item: unknown): string {
  if (identity === 'whole' || typeof item !== 'object' || item === null) return digest(item);
  const id = (item as Readonly<Record<string, unknown>>)[identity];
  return typeof id === 'string' ? id : `${NO_ID}${digest(item)}`;
}
