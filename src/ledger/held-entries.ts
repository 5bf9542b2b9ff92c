import type { SendTime } from './ages.ts';
import type { ActLine, IntentLine } from './lines.ts';
import type { Placed } from './placed.ts';
import { sameChange } from './reduce.ts';

/** An entry with lines that may still be needed. */
export interface Held {
  readonly begin: IntentLine | ActLine;
  readonly lines: Placed[];
  /** It is kept even once its end is on record. */
  stays: boolean;
  isEnded: boolean;
  /** It has no end of its own, and a later change of the same object was heard instead. */
  isOvertaken: boolean;
  /** An earlier line may tell that this change was overtaken: changes that left later were heard before. */
  isSuspect: boolean;
  /** When its last copy left, as far as its lines tell; null where no line says another time than its begin. */
  left: SendTime | null;
  /** The latest time of the lines that decided `left` and `isOvertaken`. */
  lastMs: number;
}

/** The same as JSON, which has no word for a time before all others but null. */
export interface KeptEntry extends Omit<Held, 'lastMs'> {
  readonly lastMs: number | null;
  /** Whether a later change may still overtake it. */
  readonly isWaiting: boolean;
}

/** Entries by name, and changes without an end also by what they change. */
export class HeldEntries {
  readonly #held = new Map<string, Held>();
  readonly #waiting = new Map<string, Set<Held>>();
  /** The last one that was begun. It is not filed yet: most end with the next line, before anybody looks for them. */
  #newest: Held | null = null;
  readonly #isSuspect: (begin: IntentLine) => boolean;

  /**
   * `isSuspect` is asked of each change that did not end at once, before another one is heard of. `kept`: what another
   * one has held.
   */
  constructor(isSuspect: (begin: IntentLine) => boolean, kept: readonly KeptEntry[] = []) {
    this.#isSuspect = isSuspect;
    for (const { isWaiting, ...one } of kept) {
      const held: Held = { ...one, lines: [...one.lines], lastMs: one.lastMs ?? Number.NEGATIVE_INFINITY };
      this.#held.set(held.begin.entry, held);
      if (isWaiting) this.#wait(held);
    }
  }

  /** Everything that is held, in the order in which it began. */
  kept(): readonly KeptEntry[] {
    return this.all().map((held) => ({
      ...held,
      lastMs: Number.isFinite(held.lastMs) ? held.lastMs : null,
      isWaiting: this.#waiting.get(changeKeyOf(held.begin) ?? '')?.has(held) === true,
    }));
  }

  get(entry: string): Held | undefined {
    if (this.#newest?.begin.entry === entry) return this.#newest;
    return this.#held.size === 0 ? undefined : this.#held.get(entry);
  }

  all(): readonly Held[] {
    this.fileNewest();
    return [...this.#held.values()];
  }

  hold(begin: IntentLine | ActLine, place: number, stays: boolean): void {
    this.fileNewest();
    this.#newest = {
      begin,
      lines: [{ line: begin, place }],
      stays,
      isEnded: false,
      isOvertaken: false,
      isSuspect: false,
      left: null,
      lastMs: Number.NEGATIVE_INFINITY,
    };
  }

  /** Nothing can tell any more that it was overtaken. */
  waitsNoMore(held: Held): void {
    // It was not filed yet, and has ended by now: nothing waits for it.
    if (this.#newest === held) return;
    const key = changeKeyOf(held.begin);
    const waiting = key === null ? undefined : this.#waiting.get(key);
    if (key === null || waiting?.delete(held) !== true) return;
    if (waiting.size === 0) this.#waiting.delete(key);
  }

  drop(held: Held): void {
    if (this.#newest === held) this.#newest = null;
    else this.#held.delete(held.begin.entry);
  }

  /** Changes without an end, by `sameChange`. */
  waitingFor(key: string): Iterable<Held> {
    if (this.#newest?.isEnded === false) this.fileNewest();
    return this.#waiting.get(key) ?? NONE;
  }

  /** Before anything is heard of another one. */
  fileNewest(): void {
    const held = this.#newest;
    this.#newest = null;
    if (held === null) return;
    this.#held.set(held.begin.entry, held);
    if (held.isEnded || held.begin.type === 'act' || held.begin.call === 'create') return;
    held.isSuspect = this.#isSuspect(held.begin);
    this.#wait(held);
  }

  #wait(held: Held): void {
    const key = changeKeyOf(held.begin);
    if (key !== null) this.#waiting.set(key, (this.#waiting.get(key) ?? new Set()).add(held));
  }
}

const NONE: readonly Held[] = [];

/** By which a later change overtakes it; null for what nothing overtakes. */
export function changeKeyOf(begin: IntentLine | ActLine): string | null {
  return begin.type === 'act' || begin.call === 'create' ? null : sameChange(begin);
}
