import type { Client } from './client.ts';
import { ServiceError } from './errors.ts';
import type { AccountReply } from './shapes.ts';

/** What a complete scan needs of an item: its identity, for the dedupe. */
interface Identified {
  readonly id: string;
}

interface Page<Item> {
  readonly items: readonly Item[];
  /** false ends the scan; anything that is no boolean means that the page does not say. */
  readonly has_more?: unknown;
}

export const SCAN_PAGE_LIMIT = 100;
/** Offsets in a row that show nothing new before a scan gives up: the list is not telling the truth. */
const NO_PROGRESS_LIMIT = 3;
/** A million objects of one kind on one account; a list that goes on beyond grows faster than it is read. */
const SCAN_PAGES_MAX = 10_000;

/** A list that could not be read to its end; it is never to be taken for a short one. */
export class IncompleteScanError extends Error {
  override readonly name = 'IncompleteScanError';
}

/**
 * Reads a `has_more` list to its end while it moves (rulebook 0.6). Pages may repeat items, bring none
 * or forget to say whether there are more. Items are told apart by id; the last reading wins.
 *
 * | a page brings     | has_more true                               | false | not said                    |
 * |-------------------|---------------------------------------------|-------|-----------------------------|
 * | something new     | go on behind its items                      | end   | go on behind its items      |
 * | known items only  | ask again, then go on a whole page further  | end   | the same                    |
 * | nothing           | ask again, then go on a whole page further  | end   | end                         |
 *
 * Asking again keeps a single wrong page from hiding the items that belong at its place.
 * Throws `IncompleteScanError` when the list makes no progress, and whatever `readPage` throws.
 */
export async function scanCompletely<Item extends Identified>(
  what: string,
  readPage: (offset: number) => Promise<Page<Item>>,
): Promise<Item[]> {
  const found = new Map<string, Item>();
  let stuck = 0;
  let askedAgain = false;
  let offset = 0;
  for (let pages = 0; pages < SCAN_PAGES_MAX; pages += 1) {
    const page = await readPage(offset);
    const before = found.size;
    for (const item of page.items) found.set(item.id, item);
    if (page.has_more === false) return [...found.values()];
    if (typeof page.has_more !== 'boolean' && page.items.length === 0) return [...found.values()];
    if (found.size > before) {
      offset += page.items.length;
      stuck = 0;
      askedAgain = false;
    } else if (!askedAgain) {
      askedAgain = true;
    } else {
      offset += SCAN_PAGE_LIMIT;
      stuck += 1;
      askedAgain = false;
    }
    if (stuck > NO_PROGRESS_LIMIT) {
      const words = `the list says that there is more than ${found.size} objects, but shows nothing new`;
      throw new IncompleteScanError(`${what}: ${words}`);
    }
  }
  throw new IncompleteScanError(`${what}: the list has no end after ${SCAN_PAGES_MAX} pages`);
}

const ACCOUNTS_PAGE_LIMIT = 1000;
const CURSOR_EMPTY_PAGES_LIMIT = 20;
const CURSOR_PAGES_MAX = 1000;

/**
 * All accounts, by cursor, each once. Assumed: those with a lapsed subscription are left out unless asked
 * for, and the default page is small (N33).
 * A cursor that is refused has expired, and the list is read once more from its beginning.
 */
export async function listAccounts(client: Client): Promise<readonly AccountReply[]> {
  try {
    return await readAccounts(client);
  } catch (error) {
    if (!(error instanceof ExpiredCursorError)) throw error;
    return readAccounts(client);
  }
}

class ExpiredCursorError extends IncompleteScanError {}

async function readAccounts(client: Client): Promise<readonly AccountReply[]> {
  const accounts = new Map<string, AccountReply>();
  const seen = new Set<string>();
  let empty = 0;
  let cursor: string | null = null;
  for (let pages = 0; pages < CURSOR_PAGES_MAX; pages += 1) {
    const page = await readAccountsPage(client, cursor);
    for (const account of page.accounts) accounts.set(account.id, account);
    cursor = page.nextCursor ?? '';
    if (cursor === '') return [...accounts.values()];
    if (seen.has(cursor)) throw new IncompleteScanError('accounts: the list repeats its cursor');
    seen.add(cursor);
    empty = page.accounts.length === 0 ? empty + 1 : 0;
    if (empty > CURSOR_EMPTY_PAGES_LIMIT)
      throw new IncompleteScanError(`accounts: ${empty} pages in a row were empty, and there are more`);
  }
  throw new IncompleteScanError(`accounts: the list has no end after ${CURSOR_PAGES_MAX} pages`);
}

/** What a service may say to a cursor that it no longer knows. */
const CURSOR_REFUSALS: readonly (number | null)[] = [400, 404, 409, 410, 422];

async function readAccountsPage(client: Client, cursor: string | null) {
  const query = { limit: ACCOUNTS_PAGE_LIMIT, withExpiredSubscriptions: true };
  try {
    return await client.read('accounts.list', {
      params: {},
      query: cursor === null ? query : { ...query, cursor },
    });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { problem } = error;
    if (cursor !== null && CURSOR_REFUSALS.includes(problem.status))
      throw new ExpiredCursorError(`accounts: a page was refused: ${error.message}`, { cause: error });
    const what = `the list of accounts cannot be read: ${problem.what}`;
    throw new ServiceError({ ...problem, what }, { cause: error });
  }
}
