/**
 * The limit of rows that are remembered, for a list that is read again from the beginning. Above it (a few
 * megabytes) nothing is remembered, so that memory stays constant.
 */
const REMEMBERED_ROWS_MAX = 50_000;

/** The rows that the first pass over a list returned, so that the second pass does not return them again. */
export class GivenRows<Item> {
  readonly #identityOf: (item: Item) => string;
  /** How often each row was returned. Rows without an id may be equal. Null above the limit. */
  #given: Map<string, number> | null = new Map();
  #rows = 0;
  #again = false;

  constructor(identityOf: (item: Item) => string) {
    this.#identityOf = identityOf;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Whether a second pass can recognise the rows of the first. */
  get canBeginAgain(): boolean {
    return this.#given !== null && !this.#again;
  }

  beginAgain(): void {
    this.#again = true;
  }

  /** The rows of a page that were not returned yet. */
  take(items: readonly Item[]): readonly Item[] {
    const left = this.#again ? items.filter((item) => !this.#wasGiven(item)) : items;
    this.#rows += left.length;
    if (!this.#again) this.#remember(items);
    return left;
  }

  #remember(items: readonly Item[]): void {
    if (this.#rows > REMEMBERED_ROWS_MAX) this.#given = null;
    const given = this.#given;
    if (given === null) return;
    for (const item of items) {
      const identity = this.#identityOf(item);
      given.set(identity, (given.get(identity) ?? 0) + 1);
    }
  }

  #wasGiven(item: Item): boolean {
    const identity = this.#identityOf(item);
    const left = this.#given?.get(identity) ?? 0;
    if (left > 0) this.#given?.set(identity, left - 1);
    return left > 0;
  }
}
