import type { Halves } from './object-record.ts';

/** Filled no further than this. */
const FULL = 0.5;
/** A power of 2, and so is every later number of slots: the first slot of a hash is found without a division. */
const FIRST_SLOTS = 16;

/** Places by hash: each slot has the first half of one and the place, which is 0 where the slot is free. */
export class PlaceTable {
  #cells: Uint32Array<ArrayBufferLike>;
  #slots: number;
  #size = 0;

  /** `kept`: the cells of another one, to be read only. */
  constructor(kept: Uint32Array<ArrayBufferLike> = new Uint32Array(2 * FIRST_SLOTS)) {
    this.#cells = kept;
    this.#slots = kept.length / 2;
  }

  /** As it is kept. */
  get cells(): Uint32Array {
    return this.#cells;
  }

  /** Adds a place, whatever others the hash has; or puts it instead of one of them. */
  add([half]: Halves, place: number, isInstead: (place: number) => boolean = () => false): void {
    this.#put(this.#find(half, isInstead), half, place);
  }

  /** Puts a place before the one of the hash. Returns that one; 0 for none. Other hashes may share it. */
  addFirst([half]: Halves, place: number): number {
    const cell = this.#find(half, () => true);
    const before = this.#cells[cell + 1] ?? 0;
    this.#put(cell, half, place);
    return before;
  }

  /** The place of that hash that is the right one; 0 where there is none. */
  get([half]: Halves, isIt: (place: number) => boolean): number {
    return this.#cells[this.#find(half, isIt) + 1] ?? 0;
  }

  /** What `addFirst` has put first. Other hashes may share it. */
  first(hash: Halves): number {
    return this.get(hash, () => true);
  }

  #put(cell: number, half: number, place: number): void {
    if (this.#cells[cell + 1] === 0) this.#size += 1;
    this.#cells[cell] = half;
    this.#cells[cell + 1] = place;
    if (this.#size > this.#slots * FULL) this.#grow();
  }

  #grow(): void {
    const old = this.#cells;
    this.#slots *= 2;
    this.#cells = new Uint32Array(2 * this.#slots);
    for (let cell = 0; cell < old.length; cell += 2) {
      const [half = 0, place = 0] = [old[cell], old[cell + 1]];
      if (place === 0) continue;
      const free = this.#find(half, () => false);
      this.#cells[free] = half;
      this.#cells[free + 1] = place;
    }
  }

  /** The cell of the place that is the right one, or of a free slot. */
  #find(half: number, isIt: (place: number) => boolean): number {
    let cell = (half & (this.#slots - 1)) * 2;
    for (;;) {
      const place = this.#cells[cell + 1] ?? 0;
      if (place === 0 || (this.#cells[cell] === half && isIt(place))) return cell;
      cell = (cell + 2) & (this.#cells.length - 1);
    }
  }
}
