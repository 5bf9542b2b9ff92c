/** Rows move by a few places between pages, so only recent ones can repeat. Memory stays constant. */
const REMEMBERED_ROWS_MAX = 50_000;

/** Leaves out the rows of a moving list that came before. */
export class RecentRows<Item> {
  readonly #identityOf: (item: Item) => string;
  readonly #recent = new Set<string>();
  #repeated = 0;

  constructor(identityOf: (item: Item) => string) {
    this.#identityOf = identityOf;
  }

  /** The number of repeated rows. */
  get repeated(): number {
    return this.#repeated;
  }

  /** The items of a page that are new. */
  take(items: readonly Item[]): readonly Item[] {
    return items.filter((item) => {
      const identity = this.#identityOf(item);
      const known = this.#recent.delete(identity);
      if (known) this.#repeated += 1;
      this.#recent.add(identity);
      if (this.#recent.size > REMEMBERED_ROWS_MAX) this.#forgetOldest();
      return !known;
    });
  }

  #forgetOldest(): void {
    for (const oldest of this.#recent) {
      this.#recent.delete(oldest);
      return;
    }
  }
}
