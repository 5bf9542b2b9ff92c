import { PackedValues } from './packed-values.ts';

/** What a compaction does to each line, by its number: five bytes a line, and the lines that replace others, packed. */
export class LineEdits {
  #codes = new Uint8Array(1_024);
  /** Where the lines that replace it are, plus 1; 0 where none do. */
  #places = new Uint32Array(1_024);
  readonly #texts = new PackedValues<readonly string[]>();
  #appliesKnown = false;
  #goneOfKnown = 0;
  #gone = 0;

  /** The number of removed lines, less the lines that replace them. */
  get goneLines(): number {
    return this.#gone + (this.#appliesKnown ? this.#goneOfKnown : 0);
  }

  leaves(number: number, how: 'moved' | 'taken out', instead: readonly string[] = NOTHING): void {
    this.#put(number, how === 'moved' ? MOVED : TAKEN_OUT, instead);
    this.#gone += 1 - instead.length;
  }

  /** The same for a line of an earlier compaction. Takes effect only if anything is moved at all. */
  wouldLeave(number: number, instead: readonly string[]): void {
    this.#put(number, WOULD_LEAVE, instead);
    this.#goneOfKnown += 1 - instead.length;
  }

  applyKnown(): void {
    this.#appliesKnown = true;
  }

  /** The lines that replace it; null if it stays. */
  instead(number: number): readonly string[] | null {
    const code = this.#codes[number] ?? STAYS;
    if (code === STAYS || (code === WOULD_LEAVE && !this.#appliesKnown)) return null;
    const place = this.#places[number] ?? 0;
    return place === 0 ? NOTHING : (this.#texts.get(place - 1) ?? NOTHING);
  }

  isMoved(number: number): boolean {
    return this.#codes[number] === MOVED;
  }

  #put(number: number, code: number, instead: readonly string[]): void {
    if (number >= this.#codes.length) this.#grow(2 * number);
    this.#codes[number] = code;
    this.#places[number] = instead.length === 0 ? 0 : this.#texts.add(instead) + 1;
  }

  #grow(length: number): void {
    const [codes, places] = [this.#codes, this.#places];
    this.#codes = new Uint8Array(length);
    this.#codes.set(codes);
    this.#places = new Uint32Array(length);
    this.#places.set(places);
  }
}

const NOTHING: readonly string[] = [];
const STAYS = 0;
const TAKEN_OUT = 1;
const MOVED = 2;
const WOULD_LEAVE = 3;
