import { changeKeyOf } from './held-entries.ts';
import type { ActLine, IntentLine } from './lines.ts';

/**
 * What one reading of a ledger cannot do line by line, because its lines stand in another order than they were
 * written: a second reading knows of it from its first line on, and keeps what it needs until the end.
 */
export interface OutOfOrder {
  /** The simulator of each run that names one, also on lines that stand before those that name it. */
  readonly origins: ReadonlyMap<string, string>;
  /** Entries that end twice, begin twice, or end before they begin. */
  readonly entries: ReadonlySet<string>;
  /** Changes by `sameChange` of which an earlier one may be overtaken by one that stands before it. */
  readonly changes: ReadonlySet<string>;
}

export const NOTHING_OUT_OF_ORDER: OutOfOrder = {
  origins: new Map(),
  entries: new Set(),
  changes: new Set(),
};

/** Collects what a reading found out of order, for the next one. */
export class OutOfOrderFinder {
  readonly #known: OutOfOrder;
  readonly #origins = new Map<string, string>();
  readonly #entries = new Set<string>();
  readonly #changes = new Set<string>();

  constructor(known: OutOfOrder) {
    this.#known = known;
  }

  origin(run: string, origin: string | undefined): void {
    // One run works with one service. A line that names another one must not cause an endless loop of readings.
    if (origin !== undefined && !this.#known.origins.has(run)) this.#origins.set(run, origin);
  }

  entry(entry: string, ...begins: readonly (IntentLine | ActLine)[]): void {
    this.#entries.add(entry);
    for (const begin of begins) this.change(changeKeyOf(begin));
  }

  change(key: string | null): void {
    if (key !== null && !this.#known.changes.has(key)) this.#changes.add(key);
  }

  /** What the next reading has to know; null if this one found everything in order. */
  next(): OutOfOrder | null {
    if (this.#origins.size + this.#entries.size + this.#changes.size === 0) return null;
    const { origins, entries, changes } = this.#known;
    return {
      origins: new Map([...origins, ...this.#origins]),
      entries: new Set([...entries, ...this.#entries]),
      changes: new Set([...changes, ...this.#changes]),
    };
  }
}
