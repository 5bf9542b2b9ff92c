/** What a compaction does to each line, by its number: one byte a line, and the lines that replace others. */
export class Fates {
  #codes = new Uint8Array(1_024);
  readonly #instead = new Map<number, readonly string[]>();
  readonly #known = new Map<number, readonly string[]>();
  /** The number of removed lines, less the lines that replace them. */
  goneLines = 0;

  leaves(number: number, fate: 'moved' | 'taken out', instead: readonly string[] = NOTHING): void {
    if (number >= this.#codes.length) {
      const longer = new Uint8Array(2 * number);
      longer.set(this.#codes);
      this.#codes = longer;
    }
    this.#codes[number] = fate === 'moved' ? MOVED : TAKEN_OUT;
    this.goneLines += 1 - instead.length;
    if (instead.length > 0) this.#instead.set(number, instead);
  }

  /** The same for a line of an earlier compaction. Takes effect only if anything is moved at all. */
  wouldLeave(number: number, instead: readonly string[]): void {
    this.#known.set(number, instead);
  }

  settleKnown(): void {
    for (const [number, instead] of this.#known) this.leaves(number, 'taken out', instead);
  }

  /** The lines that replace it; null if it stays. */
  instead(number: number): readonly string[] | null {
    return (this.#codes[number] ?? STAYS) === STAYS ? null : (this.#instead.get(number) ?? NOTHING);
  }

  isMoved(number: number): boolean {
    return this.#codes[number] === MOVED;
  }
}

const NOTHING: readonly string[] = [];
const STAYS = 0;
const TAKEN_OUT = 1;
const MOVED = 2;
