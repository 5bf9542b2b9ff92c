import { digest } from '../domain/digest.ts';
import { CutOffError, IncompleteScanError } from './errors.ts';
import type { ListPaging } from './row.ts';

/** The position of a page; empty for a first page that needs no offset. */
export interface Place {
  readonly offset?: number;
  /** A cursor, marker or message id. It goes back to the service unchanged and unchecked. */
  readonly handedBack?: Readonly<Record<string, string>>;
}

/** A list that is being read. */
export interface List {
  /** For messages, e.g. `revenue.transactions (platform_a, 555)`. */
  readonly what: string;
  readonly paging: ListPaging;
  /** The `limit` that every page is asked for. */
  readonly pageSize: number;
  /** The position of the first page. */
  readonly start: Place;
  /** Told that the list ended, and rows may be missing all the same. */
  readonly onDoubt: (sentence: string) => void;
}

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The items that no earlier page had, where the style can tell. */
  readonly fresh: readonly Item[];
  /** The ids of all items; `NO_ID` begins those of rows without one. */
  readonly ids: readonly string[];
  /** The whole reply, for the members that say how to go on. */
  readonly reply: Readonly<Record<string, unknown>>;
  readonly isFirst: boolean;
}

/**
 * The position of the page after this one; null if it was the last. Throws `IncompleteScanError` if the list cannot be
 * read to its end. It is called once for each page, in their order.
 */
type NextPage = (page: Page<unknown>) => Place | null;

/** How the identity of a row without an id begins. Such rows are told apart by their content. */
export const NO_ID = 'no id: ';

const EMPTY_PAGES_LIMIT = 20;
/** The number of pages in a row without new rows after which the list counts as ignoring its offset. */
const NO_PROGRESS_LIMIT = 3;

/** How to go on in each style of paging. */
export function followPages(list: List): NextPage {
  const { paging } = list;
  switch (paging.style) {
    case 'none':
      return nextOfSingle(list);
    case 'cursor':
      return nextByCursor(list, paging.next);
    case 'offset':
      return nextByOffset(list, paging.mayCap === true);
    case 'marker':
      return nextByOffset(list, false);
    case 'offset_total':
      return nextByTotal(list);
    case 'has_more':
      return nextByHasMore(list);
    case 'message_id':
      return nextByMessage(list);
  }
}

/** A list of one page (LIST-7). A full one may have been cut off, so it does not count as complete. */
function nextOfSingle({ what, pageSize }: List): NextPage {
  return ({ items }) => {
    if (items.length < pageSize) return null;
    throw new CutOffError(
      `${what}: possibly truncated. ${items.length} rows are the most that the service gives, and it does not say whether there are more.`,
    );
  };
}

/**
 * LIST-1; `member` of the reply has the cursor.
 *
 * | the next cursor is     | then                                                 |
 * |------------------------|------------------------------------------------------|
 * | missing, null or empty | end                                                  |
 * | new                    | go on, also behind an empty page, 20 of them in a row |
 * | one from before        | incomplete: the list runs in a circle                |
 */
function nextByCursor({ what }: List, member: string): NextPage {
  // Digests, because a cursor has no bound on its length.
  const seen = new Set<string>();
  let empty = 0;
  return ({ items, reply }) => {
    const cursor = reply[member];
    if (typeof cursor !== 'string' || cursor === '') return null;
    const known = seen.size;
    if (seen.add(digest(cursor)).size === known)
      throw new IncompleteScanError(`${what}: the list repeats its cursor`);
    empty = items.length === 0 ? empty + 1 : 0;
    if (empty > EMPTY_PAGES_LIMIT)
      throw new IncompleteScanError(`${what}: ${empty} pages in a row were empty, and there are more`);
    return { handedBack: { cursor } };
  };
}

/**
 * A list with offsets and no mark of its end (LIST-2): a page that is not full, or empty, is the last one. Where the service
 * may cap the page, a first page that is not full sets the measure. The marker of the first reply (LIST-5), 0 among others,
 * goes with every later page and holds the list still. Without one the list is live.
 */
function nextByOffset({ what, paging, pageSize, start }: List, mayCap: boolean): NextPage {
  const requireProgress = progressChecker(what);
  let fullPage = pageSize;
  let place: Place = start;
  let offset = start.offset ?? 0;
  return (page) => {
    const { items, reply, isFirst } = page;
    const marker = paging.style === 'marker' && isFirst ? readMarker(reply) : null;
    if (marker !== null) place = { ...start, handedBack: { marker } };
    if (mayCap && isFirst && items.length > 0) fullPage = Math.min(fullPage, items.length);
    if (items.length < fullPage || items.length === 0) return null;
    offset += items.length;
    requireProgress(page);
    return { ...place, offset };
  };
}

/** The marker of a reply; null if it has none. */
export function readMarker({ marker }: Readonly<Record<string, unknown>>): string | null {
  const isMarker = typeof marker === 'number' || typeof marker === 'bigint' || typeof marker === 'string';
  return isMarker ? String(marker) : null;
}

/**
 * A list that has offsets and tells its total, which may change between pages (LIST-3): only the total of the page itself
 * counts.
 *
 * | the page     | places up to its end            | then                                               |
 * |--------------|---------------------------------|----------------------------------------------------|
 * | is empty     | fewer than the total            | ask again, then end, and say what was promised     |
 * | is empty     | any other                       | end                                                |
 * | is not full  | as many as the total            | end                                                |
 * | is full      | as many as the total            | go on: it may count fewer than it lists, as those  |
 * |              |                                 | that did not lapse                                 |
 * | has rows     | fewer, or no total was given   | go on                                              |
 * | has rows     | more than the total             | go on: such a total proves nothing                 |
 */
function nextByTotal({ what, pageSize, start, onDoubt }: List): NextPage {
  const requireProgress = progressChecker(what);
  let offset = start.offset ?? 0;
  let askedAgain = false;
  return (page) => {
    const { items, reply } = page;
    const { total } = reply;
    offset += items.length;
    const promisesMore = typeof total === 'number' && total > offset;
    if (items.length > 0 && (offset !== total || items.length === pageSize)) {
      askedAgain = false;
      requireProgress(page);
      return { offset };
    }
    if (items.length === 0 && !askedAgain && promisesMore) {
      askedAgain = true;
      return { offset };
    }
    if (promisesMore) onDoubt(`${what}: its total is ${total}, and it shows ${offset}.`);
    return null;
  };
}

/**
 * A list that moves while it is read (LIST-4). Pages may repeat items, bring none or forget to say whether there are more.
 * Anything but a boolean in `has_more` does not say.
 *
 * | a page brings     | has_more true                               | false | not said                    |
 * |-------------------|---------------------------------------------|-------|-----------------------------|
 * | something new     | go on behind its items                      | end   | go on behind its items      |
 * | known items only  | ask again, then go on a whole page further  | end   | the same                    |
 * | nothing           | ask again, then go on a whole page further  | end   | end                         |
 *
 * Asking again keeps a single wrong page from hiding the items that belong at its place.
 */
function nextByHasMore({ what, pageSize, start }: List): NextPage {
  let offset = start.offset ?? 0;
  let known = 0;
  let stuck = 0;
  let askedAgain = false;
  return ({ items, fresh, reply: { has_more: more } }) => {
    if (more === false || (typeof more !== 'boolean' && items.length === 0)) return null;
    known += fresh.length;
    if (fresh.length > 0) {
      offset += items.length;
      stuck = 0;
      askedAgain = false;
    } else if (!askedAgain) {
      askedAgain = true;
    } else {
      offset += pageSize;
      stuck += 1;
      askedAgain = false;
    }
    if (stuck > NO_PROGRESS_LIMIT)
      throw new IncompleteScanError(
        `${what}: the list says that there is more than ${known} objects, but shows nothing new`,
      );
    return { offset };
  };
}

/**
 * A chat, by the id of the last message of the page before, as it came and not as it sorts (LIST-6). Assumed: not shown
 * whether that message comes again, so both is understood.
 *
 * | a page brings     | has_more true | false | not said |
 * |-------------------|---------------|-------|----------|
 * | something new     | go on         | end   | go on    |
 * | nothing new       | incomplete    | end   | end      |
 */
function nextByMessage({ what }: List): NextPage {
  return ({ fresh, ids, reply: { has_more: more } }) => {
    if (more === false || (fresh.length === 0 && more !== true)) return null;
    if (fresh.length === 0)
      throw new IncompleteScanError(
        `${what}: the list says that it has more messages, but shows nothing new`,
      );
    const last = ids.findLast((id) => !id.startsWith(NO_ID));
    if (last !== undefined) return { handedBack: { message_id: last } };
    throw new IncompleteScanError(`${what}: a page has no message with an id, so the next page is unknown`);
  };
}

function progressChecker(what: string): (page: Page<unknown>) => void {
  let stuck = 0;
  return ({ fresh }) => {
    stuck = fresh.length === 0 ? stuck + 1 : 0;
    if (stuck >= NO_PROGRESS_LIMIT)
      throw new IncompleteScanError(`${what}: one page after another shows the same rows`);
  };
}
