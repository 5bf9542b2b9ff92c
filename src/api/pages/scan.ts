/** One page of a list, as a paging style looks at it. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The whole reply, for the members that say how to go on. */
  readonly reply: Readonly<Record<string, unknown>>;
}

/** Where a page stands; nothing of it on a first page that needs no offset. */
export interface Place {
  readonly offset?: number;
  /** A cursor, marker or message id: it goes back to the service as it came from there, unchecked. */
  readonly handedBack?: Readonly<Record<string, string>>;
}

/** A list that is being read: what every paging style needs of it. */
export interface Scan<Item> {
  /** For messages, e.g. `revenue.transactions (platform_a, 555)`. */
  readonly what: string;
  /** The `limit` that every page is asked for. */
  readonly pageSize: number;
  /** More pages than this are no list but a mistake of the service. */
  readonly pagesMax: number;
  readonly identityOf: (item: Item) => string;
  /** Hears, as a sentence, what makes the result less than certain although the list came to its end. */
  readonly onWarning: (sentence: string) => void;
  /** Reads one page; rejects with `ServiceError`. Everything beside the place is the same for all pages. */
  readonly ask: (place: Place) => Promise<Page<Item>>;
}

/** Pages of one list after which a person is told that it goes on. */
const LONG_PAGES = 100;

/** Asks for pages, and tells once that they are many: at the published rate, a thousand of them take minutes. */
export function tellingOfLength<Asked, Answer>(
  { what, pagesMax }: Pick<Scan<unknown>, 'what' | 'pagesMax'>,
  warn: (sentence: string) => void,
  ask: (place: Asked) => Promise<Answer>,
): (place: Asked) => Promise<Answer> {
  let pages = 0;
  return (place) => {
    pages += 1;
    if (pages === LONG_PAGES + 1)
      warn(
        `${what}: ${LONG_PAGES} pages were read, and the service says that there are more. Reading goes on, up to ${pagesMax} pages.`,
      );
    return ask(place);
  };
}

/** The end of a list whose pages never come to one. */
export function endless({ what, pagesMax }: Pick<Scan<unknown>, 'what' | 'pagesMax'>): string {
  return `${what}: the list has no end after ${pagesMax} pages`;
}
