import type { ViewBytes } from '../domain/ledger-store.ts';

const PIECE_BYTES = 262_144;
const NOTHING = new Uint8Array();

/** Bytes that only become more, in pieces of memory. What is added at once is in one piece. */
export class GrowingBytes implements ViewBytes {
  readonly #pieces: Uint8Array[] = [];
  readonly #starts: number[] = [];
  #newest = NOTHING;
  /** Of the newest piece. */
  #filled = 0;
  /** The piece that was asked for last: most things are read in order. */
  #last = 0;
  length = 0;

  /** Returns the place of the bytes. */
  add(bytes: Uint8Array): number {
    const place = this.length;
    if (this.#filled + bytes.length > this.#newest.length) {
      this.#newest = new Uint8Array(Math.max(PIECE_BYTES, bytes.length));
      this.#pieces.push(this.#newest);
      this.#starts.push(place);
      this.#filled = 0;
    }
    this.#newest.set(bytes, this.#filled);
    this.#filled += bytes.length;
    this.length += bytes.length;
    return place;
  }

  /** All of them, from the first one on. */
  *pieces(): Generator<Uint8Array, undefined> {
    for (const [index, piece] of this.#pieces.entries())
      yield piece.subarray(0, (this.#starts[index + 1] ?? this.length) - (this.#starts[index] ?? 0));
  }

  at(from: number, length: number): Uint8Array {
    const index = this.#indexOf(from);
    const begin = from - (this.#starts[index] ?? 0);
    return this.#pieces[index]?.subarray(begin, begin + length) ?? NOTHING;
  }

  #indexOf(place: number): number {
    const [start = 0, end = this.length] = [this.#starts[this.#last], this.#starts[this.#last + 1]];
    if (place < start || place >= end) this.#last = this.#search(place);
    return this.#last;
  }

  /** The last piece that starts at the place or before it. */
  #search(place: number): number {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= place) low = middle;
      else high = middle;
    }
    return low;
  }
}
