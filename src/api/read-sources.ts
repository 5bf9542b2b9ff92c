import { Readable } from 'node:stream';
import { ServiceError } from './errors.ts';

/** One account's list. */
export interface ListSource<Item> {
  /** The account's alias. */
  readonly account: string;
  /** Begins to read it; called once, when its turn comes near. */
  readonly pages: () => AsyncGenerator<readonly Item[], void>;
}

/** A page of one account, and how many accounts are behind us, failed ones among them. */
export interface SourcePage<Item> {
  readonly items: readonly Item[];
  readonly accountsDone: number;
}

/** What could not be finished. */
export interface ListEnd {
  readonly complete: boolean;
  readonly failures: readonly { readonly account: string; readonly error: unknown }[];
  /** Accounts that were not read at all, because a failure before them holds for them as well. */
  readonly notRead: readonly string[];
}

/** How many accounts are read at once: as many as the published rate of most lists, so that answers of a second still fill it. */
const PARALLEL = 15;

/** Pages of one account that may wait for their turn: what bounds the memory. */
const READ_AHEAD_PAGES = 4;

/**
 * Gives the rows of all sources, one source after the other, while the pages of the next ones are already
 * read. An account that fails does not stop the others, except where the key itself was refused: then no
 * other account is asked. After `limit` rows an account is left. Never throws for a source; the failures are what it returns.
 */
export async function* readSources<Item>(
  sources: readonly ListSource<Item>[],
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<SourcePage<Item>, ListEnd> {
  const failures = new Map<string, unknown>();
  const started: Readable[] = [];
  const isRefused = () => [...failures.values()].some(concernsAll);
  const startUpTo = (count: number) => {
    for (const source of isRefused() ? [] : sources.slice(started.length, count)) {
      const reading = Readable.from(readUpTo(source, limit, failures), { highWaterMark: READ_AHEAD_PAGES });
      // Begins to fill its buffer.
      reading.read(0);
      started.push(reading);
    }
  };
  let accountsDone = 0;
  try {
    for (const { account } of sources) {
      startUpTo(accountsDone + PARALLEL);
      const current = started[accountsDone];
      if (current === undefined) break;
      for await (const items of current as AsyncIterable<readonly Item[]>) {
        yield { items, accountsDone };
        startUpTo(accountsDone + PARALLEL);
      }
      accountsDone += 1;
      if (concernsAll(failures.get(account))) break;
    }
  } finally {
    for (const reading of started) reading.destroy();
  }
  const told = sources.slice(0, accountsDone).filter(({ account }) => failures.has(account));
  const notRead = sources.slice(accountsDone).map(({ account }) => account);
  return {
    complete: told.length === 0 && notRead.length === 0,
    failures: told.map(({ account }) => ({ account, error: failures.get(account) })),
    notRead,
  };
}

/** Its pages, up to so many rows. A failure ends them and is noted. */
async function* readUpTo<Item>(
  { account, pages }: ListSource<Item>,
  limit: number,
  failures: Map<string, unknown>,
): AsyncGenerator<readonly Item[], void> {
  let left = limit;
  try {
    for await (const page of pages()) {
      const items = page.slice(0, left);
      left -= items.length;
      if (items.length > 0) yield items;
      if (left <= 0) return;
    }
  } catch (error) {
    failures.set(account, error);
  }
}

/** A refused key, or one without the permission, fails for every account. */
function concernsAll(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  const { status, code } = error.problem;
  return status === 401 || (status === 403 && code === 'API_KEY_PERMISSION_DENIED');
}
