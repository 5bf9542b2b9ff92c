import { ServiceError } from './errors.ts';

/** One row of a list that may be read over several accounts. */
export interface ListRow<Item> {
  /** The account's alias. */
  readonly account: string;
  readonly item: Item;
}

/** One account's list. */
export interface ListSource<Item> {
  readonly account: string;
  /** Begins to read it; called once, when its turn comes near. */
  readonly pages: () => AsyncGenerator<readonly Item[], void>;
}

export interface ListOptions {
  /** Rows of each account after which it is left; all of them when it is missing. */
  readonly limit?: number;
  /** How many accounts are read at once. */
  readonly parallel?: number;
  readonly onProgress?: (progress: ListProgress) => void;
}

export interface ListProgress {
  /** Rows that were given so far. */
  readonly rows: number;
  /** Accounts that are behind us, failed ones among them. */
  readonly accountsDone: number;
  readonly accounts: number;
}

/** What could not be finished. */
export interface ListEnd {
  readonly complete: boolean;
  readonly failures: readonly { readonly account: string; readonly error: unknown }[];
  /** Accounts that were not read at all, because a failure before them holds for them as well. */
  readonly notRead: readonly string[];
}

/** As many as the published rate of most lists, so that answers of a second still fill it. */
const PARALLEL = 15;

/** Rows of one account that may wait for their turn: what bounds the memory. */
const READ_AHEAD_ROWS = 2000;

/**
 * Gives the rows of all sources, one source after the other, while the pages of the next ones are already
 * read. An account that fails does not stop the others, except where the key itself was refused: then no
 * other account is asked. Never throws for a source; the failures are what it returns.
 */
export async function* readSources<Item>(
  sources: readonly ListSource<Item>[],
  options: ListOptions = {},
): AsyncGenerator<readonly ListRow<Item>[], ListEnd> {
  const { limit = Number.POSITIVE_INFINITY, parallel = PARALLEL, onProgress = () => undefined } = options;
  const failures: { account: string; error: unknown }[] = [];
  const started: ReadAhead<Item>[] = [];
  let rows = 0;
  let hopeless = false;
  const startUpTo = (count: number) => {
    for (const source of sources.slice(started.length, count)) {
      if (started.some(({ failure }) => failure !== null && concernsAll(failure.error))) return;
      started.push(new ReadAhead(source, limit));
    }
  };
  try {
    for (const [index, { account }] of sources.entries()) {
      startUpTo(index + parallel);
      const current = started[index];
      if (current === undefined || hopeless) return end(failures, sources.slice(index));
      for (let page = await current.next(); page !== null; page = await current.next()) {
        rows += page.length;
        yield page.map((item) => ({ account, item }));
        onProgress({ rows, accountsDone: index, accounts: sources.length });
        startUpTo(index + parallel);
      }
      if (current.failure !== null) {
        failures.push({ account, error: current.failure.error });
        hopeless = concernsAll(current.failure.error);
      }
      onProgress({ rows, accountsDone: index + 1, accounts: sources.length });
    }
    return end(failures, []);
  } finally {
    for (const reading of started) reading.stop();
  }
}

function end<Item>(failures: ListEnd['failures'], rest: readonly ListSource<Item>[]): ListEnd {
  const notRead = rest.map(({ account }) => account);
  return { complete: failures.length === 0 && notRead.length === 0, failures, notRead };
}

/** A refused key, or one without the permission, fails for every account. */
function concernsAll(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  const { status, code } = error.problem;
  return status === 401 || (status === 403 && code === 'API_KEY_PERMISSION_DENIED');
}

/** Reads one source ahead of its consumer, and waits when enough rows are ready. */
class ReadAhead<Item> {
  /** The failure that ended the list early; null if there is none. */
  failure: { readonly error: unknown } | null = null;
  readonly #pages: (readonly Item[])[] = [];
  #rowsWaiting = 0;
  #ended = false;
  #stopped = false;
  #wakeReader: () => void = () => undefined;
  #wakeTaker: () => void = () => undefined;

  constructor(source: ListSource<Item>, limit: number) {
    void this.#read(source, limit);
  }

  /** The next page; null after the last one, or after a failure. */
  async next(): Promise<readonly Item[] | null> {
    for (;;) {
      const page = this.#pages.shift();
      if (page !== undefined) {
        this.#rowsWaiting -= page.length;
        this.#wakeReader();
        return page;
      }
      if (this.#ended) return null;
      await new Promise<void>((resolve) => (this.#wakeTaker = resolve));
    }
  }

  /** The consumer stopped: no further page is requested. */
  stop(): void {
    this.#stopped = true;
    this.#wakeReader();
  }

  async #read(source: ListSource<Item>, limit: number): Promise<void> {
    try {
      let left = limit;
      for await (const page of source.pages()) {
        const some = page.slice(0, left);
        left -= some.length;
        this.#put(some);
        if (left <= 0) break;
        while (this.#rowsWaiting >= READ_AHEAD_ROWS && !this.#stopped)
          await new Promise<void>((resolve) => (this.#wakeReader = resolve));
        if (this.#stopped) break;
      }
    } catch (error) {
      this.failure = { error };
    }
    this.#ended = true;
    this.#wakeTaker();
  }

  #put(page: readonly Item[]): void {
    if (page.length === 0) return;
    this.#pages.push(page);
    this.#rowsWaiting += page.length;
    this.#wakeTaker();
  }
}
