/**
 * Rows of which it is remembered that they were given, for a list that is begun anew.
 * Above this many (a few megabytes) nothing is remembered any more: memory stays flat.
 */
const REMEMBERED_ROWS_MAX = 50_000;

/** What a first pass over a list gave, so that a second one gives nothing twice. */
export class GivenRows<Item> {
  readonly #identityOf: (item: Item) => string;
  /** How often each row was given: two rows may be alike where rows have no id. Null above the bound. */
  #given: Map<string, number> | null = new Map();
  #rows = 0;
  #again = false;

  constructor(identityOf: (item: Item) => string) {
    this.#identityOf = identityOf;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Whether a second pass can tell what the first one gave. */
  get canBeginAgain(): boolean {
    return this.#given !== null && !this.#again;
  }

  beginAgain(): void {
    this.#again = true;
  }

  /** The rows of a page that are still to be given. */
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
