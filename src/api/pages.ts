import { digest } from '../domain/digest.ts';
import { CATALOGUE, rowOf, type CallInput, type Operation, type Reply } from './catalogue.ts';
import type { Client } from './client.ts';
import type { BeforeSend } from './send-call.ts';
import { IncompleteScanError, ServiceError } from './errors.ts';
import type { ListPaging, Row } from './row.ts';
import type { AccountReply } from './rows/accounts.ts';
import * as z from 'zod';

type Rows = typeof CATALOGUE;

/** The operations that list something. Their row names the member with the items. */
export type ListOperation = {
  [Name in Operation]: Rows[Name]['paging'] extends ListPaging ? Name : never;
}[Operation];

/** One item of the operation's list, parsed by the row. */
export type ItemOf<Name extends ListOperation> =
  Reply<Name> extends Readonly<Record<Rows[Name]['paging']['items'], readonly (infer Item)[]>> ? Item : never;

type PagingKey = 'limit' | 'offset' | 'cursor' | 'marker' | 'message_id';

export interface ListInput<Name extends ListOperation> {
  readonly params: CallInput<Name>['params'];
  readonly query?: Omit<NonNullable<CallInput<Name>['query']>, PagingKey>;
}

/** The position of a page; empty for a first page that needs no offset. */
export interface Place {
  readonly offset?: number;
  /** A cursor, marker or message id. It goes back to the service unchanged and unchecked. */
  readonly handedBack?: Readonly<Record<string, string>>;
}

/** What replies say about a list besides its rows. */
export interface ListFacts {
  readonly total?: number;
  /** The snapshot that holds the list still. */
  readonly marker?: string;
  /** Where to go on after the last row that was given. */
  readonly next_cursor?: string;
}

export interface PagesEnd {
  /** A `next_cursor` stands for the end of the last row that was given. */
  readonly facts: ListFacts;
  /** Why rows may be missing although the list ended; null if none can be. */
  readonly doubt: string | null;
}

export interface PageOptions {
  /** The maximum number of items; without it, all. */
  readonly limit?: number;
  readonly start?: Place;
  /** Set for lists that people look at: items are given as they came. */
  readonly toShow?: true;
  /** The number of pages after which the list counts as endless. By default the paging style decides. */
  readonly pagesMax?: number;
  /** Name of the list for messages; by default its operation and its account. */
  readonly what?: string;
  readonly beforeSend?: BeforeSend | undefined;
  readonly onEnd?: (end: PagesEnd) => void;
}

/** 10 million rows or more. Of these lists no more than a few pages are held at once. */
const PAGES_MAX = 100_000;

/** A hundred thousand objects of one kind on one account, all held at once; a list that goes on has no end. */
const HAS_MORE_PAGES_MAX = 1_000;

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
  const { limit = Number.POSITIVE_INFINITY, start = {}, onEnd = () => undefined } = options;
  const { paging }: { readonly paging: ListPaging } = CATALOGUE[operation];
  const { pagesMax = paging.style === 'has_more' ? HAS_MORE_PAGES_MAX : PAGES_MAX } = options;
  const { what = nameList(operation, input.params) } = options;
  const list = { what, paging, pageSize: Math.min(paging.most, Math.max(paging.least ?? 1, limit)) };
  const style: Style = STYLES[paging.style];
  const known = new Set<string>();
  const cursors = new Set<string>();
  let facts: ListFacts = {};
  let place: Place = style.hasOffset ? { ...start, offset: start.offset ?? 0 } : start;
  let [left, stale, firstSize, hasMoved] = [limit, 0, 0, false];
  // An empty page was passed over, and nothing came after it.
  let isOwed = false;
  for (let number = 1; left > 0; number += 1) {
    if (number > pagesMax)
      throw new IncompleteScanError(`${what}: the list has no end after ${pagesMax} pages`);
    const { items, reply } = await askPage(client, operation, input, { ...list, place }, options);
    const fresh = items.filter((item) => !style.mayRepeat || remember(known, paging, item));
    hasMoved ||= style.repeatsTell && fresh.length < items.length;
    stale = fresh.length > 0 ? 0 : stale + 1;
    const page = { ...list, items, reply, place, fresh, stale, firstSize };
    if (number === 1) firstSize = items.length;
    facts = { ...facts, ...readFacts(page) };
    const given = fresh.slice(0, left);
    left -= given.length;
    if (left === 0) {
      // A cursor is for the end of a page. In the middle of one it would skip rows.
      const cursor = given.length === fresh.length ? readCursor(paging, reply) : null;
      // Said before the last rows: who has all that it wanted asks for no more.
      onEnd({ facts: cursor === null ? facts : { ...facts, next_cursor: cursor }, doubt: null });
    }
    if (given.length > 0) yield given;
    if (left === 0) return;
    const next = style.next(page);
    if (fresh.length > 0) isOwed = false;
    if (next === null && isOwed)
      throw new IncompleteScanError(`${what}: the list said that more follows, and shows nothing more`);
    if (next === null) return onEnd({ facts, doubt: findDoubt(page, hasMoved) });
    isOwed ||= items.length === 0 && next.offset !== place.offset;
    if (stale > style.staleMax)
      throw new IncompleteScanError(`${what}: the list goes on, but shows nothing new`);
    if (paging.style === 'cursor' && cursors.size === cursors.add(digest(next)).size)
      throw new IncompleteScanError(`${what}: the list repeats its cursor`);
    place = next;
  }
}

/** How often a list that changes while it is read is read again. */
const READINGS_MAX = 3;

/** The rows of a list of which none may be missed, in its order. Throws `IncompleteScanError` rather than give a part. */
export async function readWhole<Name extends ListOperation>(
  client: Client,
  operation: Name,
  input: ListInput<Name>,
  isWanted: (item: ItemOf<Name>) => boolean = () => true,
): Promise<readonly ItemOf<Name>[]> {
  let why = '';
  for (let reading = 1; reading <= READINGS_MAX; reading += 1) {
    const found: ItemOf<Name>[] = [];
    const onEnd = ({ doubt }: PagesEnd) => (why = doubt ?? '');
    for await (const page of readPages(client, operation, input, { onEnd }))
      found.push(...page.filter(isWanted));
    if (why === '') return found;
  }
  throw new IncompleteScanError(why);
}

async function askPage<Name extends ListOperation>(
  client: Client,
  operation: Name,
  { params, query: given }: ListInput<Name>,
  { paging, pageSize, place }: Pick<Page, 'paging' | 'pageSize' | 'place'>,
  { toShow, beforeSend }: PageOptions,
) {
  const { offset, handedBack = {} } = place;
  const row = toShow === true ? rowToShow(rowOf(operation)) : rowOf(operation);
  const query = { ...given, limit: pageSize, ...(offset === undefined ? {} : { offset }) };
  const result = await client.prepareRow(operation, row, { params, query, handedBack })(beforeSend);
  if (result.kind !== 'done') throw new ServiceError(result.problem);
  // The row's own shape parsed the reply: `items` is an array of what `ItemOf` is derived from.
  const reply = result.reply as Readonly<Record<string, unknown>>;
  return { items: reply[paging.items] as readonly ItemOf<Name>[], reply };
}

/** What the page says about the list. The marker of the first page is that of the list. */
function readFacts({ paging: { style }, reply, firstSize }: Page): ListFacts {
  const { total } = reply;
  const marker = style === 'marker' && firstSize === 0 ? readMarker(reply) : null;
  return {
    ...(style === 'offset_total' && typeof total === 'number' ? { total } : {}),
    ...(marker === null ? {} : { marker }),
  };
}

function findDoubt({ what, paging, items, reply, place }: Page, hasMoved: boolean): string | null {
  const { total } = reply;
  const given = (place.offset ?? 0) + items.length;
  if (hasMoved) return `${what}: the list changed while it was read, so rows may be missing.`;
  if (paging.style !== 'offset_total' || typeof total !== 'number' || total <= given) return null;
  return `${what}: its total is ${total}, and it shows ${given}.`;
}

/** Each once. Assumed: by default the list omits expired subscriptions, and pages are small (ACCOUNT-4). */
export async function listAccounts(client: Client): Promise<readonly AccountReply[]> {
  const input = { params: {}, query: { withExpiredSubscriptions: true } };
  const listed = await readWhole(client, 'accounts.list', input);
  return [...new Map(listed.map((account) => [account.id, account])).values()];
}

interface Page {
  /** The list, for messages: `revenue.transactions (platform_a, 555)`. */
  readonly what: string;
  readonly paging: ListPaging;
  /** The `limit` that every page is asked for. */
  readonly pageSize: number;
  readonly items: readonly unknown[];
  /** The whole reply, for the members that say how to go on. */
  readonly reply: Readonly<Record<string, unknown>>;
  readonly place: Place;
  /** The items that no earlier page had, where the style can tell. */
  readonly fresh: readonly unknown[];
  /** How many pages in a row, with this one, brought no fresh item. */
  readonly stale: number;
  /** How many items the first page had; 0 on that page. */
  readonly firstSize: number;
}

interface Style {
  readonly hasOffset: boolean;
  /** Rows may come again on a later page, and are left out there. */
  readonly mayRepeat: boolean;
  /** A repeated row proves that rows moved, and so others may have been missed. */
  readonly repeatsTell: boolean;
  /** The most pages in a row without a fresh row that are not a mistake of the service. */
  readonly staleMax: number;
  /** The position of the next page; null if this was the last one. */
  readonly next: (page: Page) => Place | null;
}

const BY_OFFSET = { hasOffset: true, mayRepeat: true, repeatsTell: true, staleMax: 2 } as const;

const BY_ID = { hasOffset: false, mayRepeat: true, repeatsTell: false, staleMax: 0 } as const;

const STYLES: Readonly<Record<ListPaging['style'], Style>> = {
  none: { ...BY_ID, mayRepeat: false, next: endSingle },
  /** LIST-1: an empty page with a cursor is not the end, but twenty in a row are enough. Rows may be alike (READ-6). */
  cursor: { ...BY_ID, mayRepeat: false, staleMax: 20, next: nextByCursor },
  offset: { ...BY_OFFSET, next: nextByOffset },
  marker: { ...BY_OFFSET, next: nextByOffset },
  offset_total: { ...BY_OFFSET, next: nextByTotal },
  /** LIST-4: such a list grows while it is read, so rows do come again. */
  has_more: { ...BY_OFFSET, repeatsTell: false, staleMax: 7, next: nextByHasMore },
  message_id: { ...BY_ID, next: nextByMessage },
};

/** A list of one page (LIST-7). A full one may have been cut off, so it does not count as complete. */
function endSingle({ items, what, pageSize }: Page): null {
  if (items.length < pageSize) return null;
  throw new IncompleteScanError(
    `${what}: possibly truncated. ${items.length} rows are the most that the service gives, and it does not say whether there are more.`,
    'The service has no way to read more. To read a part on purpose, use --limit.',
  );
}

/** LIST-1: no cursor ends the list. */
function nextByCursor({ reply, paging }: Page): Place | null {
  const cursor = readCursor(paging, reply);
  return cursor === null ? null : { handedBack: { cursor } };
}

function readCursor(
  { next = 'cursor' }: ListPaging,
  reply: Readonly<Record<string, unknown>>,
): string | null {
  const cursor = reply[next];
  return typeof cursor === 'string' && cursor !== '' ? cursor : null;
}

/**
 * A list with offsets and no mark of its end (LIST-2): a page that is not full, or empty, is the last one. Where the service
 * may cap the page, a first page that is not full sets the measure. The marker of the first reply (LIST-5), 0 among others,
 * goes with every later page and holds the list still. Without one the list is live.
 */
function nextByOffset({ items, reply, place, firstSize, paging, pageSize }: Page): Place | null {
  const full = paging.mayCap === true ? Math.min(pageSize, firstSize || items.length) : pageSize;
  if (items.length === 0 || items.length < full) return null;
  const marker = paging.style === 'marker' && firstSize === 0 ? readMarker(reply) : null;
  const held = marker === null ? place : { handedBack: { marker } };
  return { ...held, offset: (place.offset ?? 0) + items.length };
}

function readMarker({ marker }: Readonly<Record<string, unknown>>): string | null {
  const isMarker = typeof marker === 'number' || typeof marker === 'bigint' || typeof marker === 'string';
  return isMarker ? String(marker) : null;
}

/**
 * A list that has offsets and tells its total (LIST-3), which may change between pages, and may count fewer than it lists: it
 * ends at an empty page, or at one that is not full and reaches the total.
 */
function nextByTotal({ items, reply, place, pageSize }: Page): Place | null {
  const offset = (place.offset ?? 0) + items.length;
  const reachesTotal = items.length < pageSize && offset === reply['total'];
  return items.length === 0 || reachesTotal ? null : { offset };
}

/**
 * A list that moves while it is read (LIST-4). Pages may repeat items, bring none or forget to say whether there are more.
 * Anything but a boolean in `has_more` does not say.
 *
 * | a page brings     | has_more true                               | false | not said                    |
 * |-------------------|---------------------------------------------|-------|-----------------------------|
 * | something new     | go on behind its items                      | end   | go on behind its items      |
 * | known items only  | ask again, then go on a whole page further  | end   | as for true                 |
 * | nothing           | ask again, then go on a whole page further  | end   | end                         |
 *
 * Asking again keeps a single wrong page from hiding the items that belong at its place.
 */
function nextByHasMore({ items, stale, reply, place, pageSize }: Page): Place | null {
  const { has_more: more } = reply;
  if (more === false || (typeof more !== 'boolean' && items.length === 0)) return null;
  const skipped = stale % 2 === 0 ? pageSize : 0;
  return { offset: (place.offset ?? 0) + (stale === 0 ? items.length : skipped) };
}

/**
 * A chat, by the id of the last message of the page before, as it came and not as it sorts (LIST-6). Assumed: not shown
 * whether that message comes again, so both is understood. It ends with a page that says so, and with one that brings nothing
 * new and does not promise more.
 */
function nextByMessage({ items, fresh, reply, what, paging }: Page): Place | null {
  const { has_more: more } = reply;
  if (more === false || (fresh.length === 0 && more !== true)) return null;
  const last = items.map((item) => readId(paging, item)).findLast((id) => id !== null);
  if (last !== undefined && last !== null) return { handedBack: { message_id: last } };
  throw new IncompleteScanError(`${what}: a page has no message with an id, so the next page is unknown`);
}

/** Whether the row is in no page before. Those without an id are told apart by their content. */
function remember(known: Set<string>, paging: ListPaging, item: unknown): boolean {
  const id = readId(paging, item) ?? `no id: ${digest(item)}`;
  const isNew = !known.has(id);
  known.add(id);
  return isNew;
}

function readId({ identity = 'id' }: ListPaging, item: unknown): string | null {
  if (typeof item !== 'object' || item === null) return null;
  const id = (item as Readonly<Record<string, unknown>>)[identity];
  return typeof id === 'string' ? id : null;
}

/** `revenue.transactions (platform_a, 555)` */
function nameList(operation: Operation, params: object): string {
  const given = Object.values(params).map(String);
  return given.length === 0 ? operation : `${operation} (${given.join(', ')})`;
}

/** Reads one answer for people, as it came. Throws `ServiceError`. */
export async function readToShow<Name extends Operation>(
  client: Client,
  operation: Name,
  input: CallInput<Name>,
): Promise<Reply<Name>> {
  const result = await client.prepareRow(operation, rowToShow(rowOf(operation)), input)();
  if (result.kind !== 'done') throw new ServiceError(result.problem);
  return result.reply as Reply<Name>;
}

/**
 * The row for a reply that people look at and that decides nothing. It only has to be an object; in a list, with rows. Values of
 * another type than documented are shown as they came, and ids always as text.
 */
function rowToShow(row: Row): Row {
  const { paging, reply } = row;
  if (!(reply instanceof z.ZodObject)) return row;
  if (!('items' in paging)) return { ...row, reply: z.looseObject({}).transform(idsToText) };
  return { ...row, reply: reply.extend({ [paging.items]: z.array(z.unknown()) }).transform(idsToText) };
}

/** Members that hold ids, which may have more digits than a number of another program holds. */
const ID_NAME = /(?:^|_)ids?$|Id$|^from_user$/;

function idsToText(value: unknown, name: unknown = ''): unknown {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  if (isNumber && typeof name === 'string' && ID_NAME.test(name)) return String(value);
  if (Array.isArray(value)) return value.map((item) => idsToText(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, idsToText(member, key)]));
}
