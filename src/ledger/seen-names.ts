import { hashOf } from '../domain/hash.ts';

/** Filled no further than this before it grows. */
const FULL = 0.6;
/** A power of 2, and so is every later number of slots: the first slot of a hash is found without a division. */
const FIRST_SLOTS = 1_024;

/**
 * Remembers names in 8 to 27 bytes each, whatever their length: as 64 bits of a hash. Names that it saw it always knows;
 * of 500,000 others it takes one for known in a hundred million ledgers.
 */
export class SeenNames {
  #slots: number;
  #hashes: Uint32Array;
  #size: number;
  /** Gives what a view has kept, when it is asked for the first time. */
  #kept: (() => Uint32Array) | null;
  /** What was asked for last: an end mostly follows its begin. */
  #last = { name: '', halves: halvesOf('') };

  /** `kept`: what another one has remembered, as its `size` and its `table`, which is a copy of its own. */
  constructor(kept?: { readonly size: number; readonly table: () => Uint32Array }) {
    this.#hashes = new Uint32Array(kept === undefined ? 2 * FIRST_SLOTS : 0);
    this.#slots = FIRST_SLOTS;
    this.#size = kept?.size ?? 0;
    this.#kept = kept?.table ?? null;
  }

  get size(): number {
    return this.#size;
  }

  /** Everything that it remembers. */
  get table(): Uint32Array {
    this.#unpack();
    return this.#hashes;
  }

  add(name: string): void {
    this.#unpack();
    const [high, low] = this.#halvesOf(name);
    if (this.#put(high, low)) this.#size += 1;
    if (this.#size > this.#slots * FULL) this.#grow();
  }

  has(name: string): boolean {
    this.#unpack();
    const [high, low] = this.#halvesOf(name);
    const place = this.#placeOf(high, low);
    return this.#hashes[place + 1] !== 0;
  }

  #unpack(): void {
    if (this.#kept === null) return;
    this.#hashes = this.#kept();
    this.#slots = this.#hashes.length / 2;
    this.#kept = null;
  }

  #halvesOf(name: string): Halves {
    if (name !== this.#last.name) this.#last = { name, halves: halvesOf(name) };
    return this.#last.halves;
  }

  #put(high: number, low: number): boolean {
    const place = this.#placeOf(high, low);
    const isNew = this.#hashes[place + 1] === 0;
    this.#hashes[place] = high;
    this.#hashes[place + 1] = low;
    return isNew;
  }

  /** Where the hash stands, or the free place for it. */
  #placeOf(high: number, low: number): number {
    const hashes = this.#hashes;
    let place = (high & (this.#slots - 1)) * 2;
    while (hashes[place + 1] !== 0 && (hashes[place + 1] !== low || hashes[place] !== high))
      place = (place + 2) & (hashes.length - 1);
    return place;
  }

  #grow(): void {
    const old = this.#hashes;
    this.#slots *= 2;
    this.#hashes = new Uint32Array(2 * this.#slots);
    for (let place = 0; place < old.length; place += 2) {
      const low = old[place + 1] ?? 0;
      if (low !== 0) this.#put(old[place] ?? 0, low);
    }
  }
}

type Halves = readonly [number, number];

/** The second one is never 0, which stands for a free place. */
function halvesOf(name: string): Halves {
  const [high, low] = hashOf(name);
  return [high, low || 1];
}
