/** One page of a list, as a paging style looks at it. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The whole reply, for the members that say how to go on. */
  readonly reply: Readonly<Record<string, unknown>>;
}

/** The position of a page; empty for a first page that needs no offset. */
export interface Place {
  readonly offset?: number;
  /** A cursor, marker or message id. It goes back to the service unchanged and unchecked. */
  readonly handedBack?: Readonly<Record<string, string>>;
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

/** How the identity of a row without an id begins. Such rows are told apart by their content. */
export const NO_ID = 'no id: ';

/** A list that is being read, as every paging style needs it. */
export interface Scan<Item> {
  /** For messages, e.g. `revenue.transactions (platform_a, 555)`. */
  readonly what: string;
  /** The `limit` that every page is asked for. */
  readonly pageSize: number;
  /** More pages than this count as a mistake of the service. */
  readonly pagesMax: number;
  readonly identityOf: (item: Item) => string;
  /** The position of the first page. */
  readonly start: Place;
  /** Told of facts as replies show them. */
  readonly onFacts: (facts: ListFacts) => void;
  /** Receives warnings. */
  readonly onWarning: (sentence: string) => void;
  /** Told that the list ended, and rows may be missing all the same. */
  readonly onDoubt: (sentence: string) => void;
  /** Reads one page; rejects with `ServiceError`. Except for the place, all pages have the same parameters. */
  readonly ask: (place: Place) => Promise<Page<Item>>;
}

/** The number of pages after which a message says that reading continues. */
const LONG_PAGES = 100;

/** Requests pages, and tells once that there are many. At the published rate, a thousand pages take minutes. */
export function warnOfManyPages<Asked, Answer>(
  { what, pagesMax }: Pick<Scan<unknown>, 'what' | 'pagesMax'>,
  warn: (sentence: string) => void,
  ask: (place: Asked) => Promise<Answer>,
): (place: Asked) => Promise<Answer> {
  let pages = 0;
  return (place) => {
    pages += 1;
    if (pages === LONG_PAGES + 1)
      warn(
        `${what}: ${LONG_PAGES} pages were read, and there are more. Reading continues, up to ${pagesMax} pages.`,
      );
    return ask(place);
  };
}

/** The error for a list that has too many pages. */
export function endless({ what, pagesMax }: Pick<Scan<unknown>, 'what' | 'pagesMax'>): string {
  return `${what}: the list has no end after ${pagesMax} pages`;
}
