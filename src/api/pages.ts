import * as z from 'zod';
import { digest } from '../domain/digest.ts';
import { maybe } from '../domain/replies.ts';
import { CATALOGUE, rowOf, type CallInput, type Operation, type Reply } from './catalogue.ts';
import type { Client } from './client.ts';
import { IncompleteScanError, ServiceError } from './errors.ts';
import { followPages, NO_ID, readMarker, type List, type Page, type Place } from './next-page.ts';
import { withOddValues } from './odd-values.ts';
import type { ListPaging, Row } from './row.ts';
import type { AccountReply } from './rows/accounts.ts';
import type { LooseInput } from './url.ts';

export type { Place };

type Rows = typeof CATALOGUE;

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

/** What replies say about a list besides its rows. */
export interface ListFacts {
  /** The rows that there are. */
  readonly total?: number;
  /** The snapshot that holds the list still. */
  readonly marker?: string;
  /** Where to go on after the last row that was given. */
  readonly next_cursor?: string;
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
/** A hundred thousand objects of one kind on one account, all held at once; a list that goes on has no end. */
const HAS_MORE_PAGES_MAX = 1_000;
/** A million accounts. */
const ACCOUNT_PAGES_MAX = 1000;
/** After so many pages, a message says that reading continues. At the published rate, a thousand pages take minutes. */
const LONG_PAGES = 100;

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
  const { limit = Number.POSITIVE_INFINITY, onFacts = () => undefined, start = {} } = options;
  const { onWarning = () => undefined, onDoubt = onWarning } = options;
  let left = limit;
  if (left <= 0) return;
  const { paging }: { readonly paging: ListPaging } = CATALOGUE[operation];
  const { least, most } = paging.pageLimit;
  const pageSize = Math.min(most, Math.max(least, limit));
  const { pagesMax = paging.style === 'has_more' ? HAS_MORE_PAGES_MAX : PAGES_MAX } = options;
  const ask = (place: Place) =>
    askPage<ItemOf<Name>>(client, operation, options.asAnswered === true, {
      params: input.params,
      query: {
        ...input.query,
        limit: pageSize,
        ...(place.offset === undefined ? {} : { offset: place.offset }),
      },
      ...(place.handedBack === undefined ? {} : { handedBack: place.handedBack }),
    });
  const list = { what: nameList(operation, input.params), paging, pageSize, start, onDoubt };
  let facts: ListFacts = {};
  for await (const page of walkPages(list, ask, { pagesMax, onWarning, onLong: client.warnOnce })) {
    const { next_cursor: next, ...others } = factsIn(paging, page);
    facts = { ...facts, ...others };
    const items = page.fresh.length > left ? page.fresh.slice(0, left) : page.fresh;
    left -= items.length;
    // A cursor is for the end of a page. In the middle of one it would skip rows.
    const isWhole = items.length === page.fresh.length;
    onFacts(left === 0 && next !== undefined && isWhole ? { ...facts, next_cursor: next } : facts);
    if (items.length > 0) yield items;
    if (left === 0) return;
  }
}

/** Identifies an item, to find repeated ones. */
interface Identified {
  readonly id: string;
}

interface HasMorePage<Item> {
  readonly items: readonly Item[];
  /** false ends the scan. A value that is not a boolean counts as missing. */
  readonly has_more?: unknown;
}

export const SCAN_PAGE_LIMIT = 100;

/**
 * All objects of a `has_more` list at once, each once, the last reading of it: what decisions are made on.
 * `warn` hears that a list is long.
 * Throws `IncompleteScanError` when the list makes no progress, and whatever `readPage` throws.
 */
export async function scanCompletely<Item extends Identified>(
  what: string,
  warn: (sentence: string) => void,
  readPage: (offset: number) => Promise<HasMorePage<Item>>,
): Promise<Item[]> {
  const { paging }: { readonly paging: ListPaging } = CATALOGUE['campaigns.list'];
  const list = { what, paging, pageSize: SCAN_PAGE_LIMIT, start: {}, onDoubt: () => undefined };
  const ask = async ({ offset = 0 }: Place) => {
    const { items, has_more } = await readPage(offset);
    return { items, reply: { has_more } };
  };
  const hearers = { pagesMax: HAS_MORE_PAGES_MAX, onWarning: () => undefined, onLong: warn };
  const found = new Map<string, Item>();
  for await (const { items } of walkPages(list, ask, hearers))
    for (const item of items) found.set(item.id, item);
  return [...found.values()];
}

/**
 * All accounts, by cursor, each once. Assumed: the list omits expired subscriptions by default, and the default
 * page is small (ACCOUNT-4).
 */
export async function listAccounts(client: Client): Promise<readonly AccountReply[]> {
  const accounts = new Map<string, AccountReply>();
  const input = { params: {}, query: { withExpiredSubscriptions: true } };
  try {
    for await (const page of readPages(client, 'accounts.list', input, { pagesMax: ACCOUNT_PAGES_MAX }))
      for (const account of page) accounts.set(account.id, account);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { problem } = error;
    const what = `the list of accounts cannot be read: ${problem.what}`;
    throw new ServiceError({ ...problem, what }, { cause: error });
  }
  return [...accounts.values()];
}

interface Walk {
  /** More pages than this count as a mistake of the service. */
  readonly pagesMax: number;
  readonly onWarning: (sentence: string) => void;
  /** Told once that there are many pages. */
  readonly onLong: (sentence: string) => void;
}

type Answer<Item> = Pick<Page<Item>, 'items' | 'reply'>;

/** The one loop over the pages of a list. `ask` rejects with `ServiceError`. */
async function* walkPages<Item>(
  list: List,
  ask: (place: Place) => Promise<Answer<Item>>,
  { pagesMax, onWarning, onLong }: Walk,
): AsyncGenerator<Page<Item>, void> {
  const { what, paging } = list;
  const given = new GivenRows(paging);
  const first = HAS_OFFSET[paging.style] ? { ...list.start, offset: list.start.offset ?? 0 } : list.start;
  let place: Place = first;
  let next = followPages(list);
  for (let number = 0; number < pagesMax; number += 1) {
    if (number === LONG_PAGES)
      onLong(
        `${what}: ${LONG_PAGES} pages were read, and there are more. Reading continues, up to ${pagesMax} pages.`,
      );
    let answer: Answer<Item>;
    try {
      answer = await ask(place);
    } catch (error) {
      if (place === first || paging.style !== 'cursor') throw error;
      onWarning(`${given.beginAgain(what, error)}. Reading the list again from the beginning.`);
      place = first;
      next = followPages(list);
      continue;
    }
    const ids = answer.items.map((item) => identify(paging.identity, item));
    const page = { ...answer, ids, fresh: given.takeFresh(answer.items, ids), isFirst: place === first };
    yield page;
    const following = next(page);
    if (following === null) {
      if (given.hasMoved)
        list.onDoubt(`${what}: the list changed while it was read, so rows may be missing.`);
      return;
    }
    place = following;
  }
  throw new IncompleteScanError(`${what}: the list has no end after ${pagesMax} pages`);
}

const HAS_OFFSET: Readonly<Record<ListPaging['style'], boolean>> = {
  none: false,
  cursor: false,
  offset: true,
  offset_total: true,
  has_more: true,
  marker: true,
  message_id: false,
};

/**
 * Rows move by a few places between pages, so only recent ones can repeat. Memory stays constant: of a `has_more` list, all
 * are held anyway.
 */
const REMEMBERED_ROWS_MAX = 50_000;

/** Statuses of a service for a cursor that it does not know any more. */
const CURSOR_REFUSALS: readonly (number | null)[] = [400, 404, 409, 410, 422];

/**
 * The rows that a list gave. A cursor does not repeat rows, and those without an id may be alike, so its rows are left out
 * only where the list is read again from the beginning: each as often as it was given.
 */
class GivenRows {
  readonly #style: ListPaging['style'];
  /** How often each row was given, the oldest first. */
  readonly #known = new Map<string, number>();
  #rows = 0;
  #repeated = 0;
  #isForgetful = false;
  #isAgain = false;

  constructor({ style }: ListPaging) {
    this.#style = style;
  }

  /** A repeated row proves that rows moved, and so others may have been missed. */
  get hasMoved(): boolean {
    return this.#repeated > 0 && ['offset', 'offset_total', 'marker'].includes(this.#style);
  }

  /** The items of a page that are new. */
  takeFresh<Item>(items: readonly Item[], ids: readonly string[]): readonly Item[] {
    if (this.#style === 'none') return items;
    const fresh = items.filter((_, index) => this.#take(ids[index] ?? ''));
    this.#rows += fresh.length;
    return fresh;
  }

  /** Why a cursor was refused. Throws any other error, and if the list cannot begin again. */
  beginAgain(what: string, error: unknown): string {
    if (!(error instanceof ServiceError) || !CURSOR_REFUSALS.includes(error.problem.status)) throw error;
    const why = `${what}: a page was refused: ${error.message}`;
    if (this.#isForgetful || this.#isAgain)
      throw new IncompleteScanError(
        `${why}. ${this.#rows} rows had been read, too many to begin again without giving any twice`,
        { cause: error },
      );
    this.#isAgain = true;
    return why;
  }

  /** Whether the row is new. */
  #take(id: string): boolean {
    const times = this.#known.get(id) ?? 0;
    if (this.#style !== 'cursor') {
      this.#known.delete(id);
      this.#remember(id, 1);
      if (times > 0) this.#repeated += 1;
      return times === 0;
    }
    if (this.#isAgain) {
      if (times > 0) this.#known.set(id, times - 1);
      return times === 0;
    }
    this.#remember(id, times + 1);
    return true;
  }

  #remember(id: string, times: number): void {
    this.#known.set(id, times);
    if (this.#style === 'has_more' || this.#known.size <= REMEMBERED_ROWS_MAX) return;
    this.#isForgetful = true;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      return;
    }
  }
}

/** What the page says about the list. */
function factsIn({ style, ...paging }: ListPaging, { reply, isFirst }: Page<unknown>): ListFacts {
  const { total } = reply;
  const cursor = 'next' in paging ? reply[paging.next] : null;
  const marker = style === 'marker' && isFirst ? readMarker(reply) : null;
  return {
    ...(style === 'offset_total' && typeof total === 'number' ? { total } : {}),
    ...(marker === null ? {} : { marker }),
    ...(typeof cursor === 'string' && cursor !== '' ? { next_cursor: cursor } : {}),
  };
}

async function askPage<Item>(
  client: Client,
  operation: ListOperation,
  asAnswered: boolean,
  input: LooseInput,
): Promise<Answer<Item>> {
  const row = asAnswered ? rowToShow(operation) : rowOf(operation);
  const result = await client.prepareRow(operation, row, input)();
  if (result.kind !== 'done') throw new ServiceError(result.problem);
  const parsed = asAnswered ? withOddValues(result.reply, result.text) : result.reply;
  // The row's own shape parsed the reply: `items` is an array of what `ItemOf` is derived from.
  const reply = parsed as Readonly<Record<string, unknown>>;
  return { items: reply[CATALOGUE[operation].paging.items] as readonly Item[], reply };
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
function nameList(operation: Operation, params: object): string {
  const given = Object.values(params).map(String);
  return given.length === 0 ? operation : `${operation} (${given.join(', ')})`;
}

function identify(identity: ListPaging['identity'], item: unknown): string {
  if (identity === 'whole' || typeof item !== 'object' || item === null) return digest(item);
  const id = (item as Readonly<Record<string, unknown>>)[identity];
  return typeof id === 'string' ? id : `${NO_ID}${digest(item)}`;
}
