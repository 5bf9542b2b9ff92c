import { hashOf } from '../domain/hash.ts';

/** Filled no further than this before it grows. */
const FULL = 0.6;
/** A power of 2, and so is every later number of slots: the first slot of a hash is found without a division. */
const FIRST_SLOTS = 1_024;
/** Of a slot: the two halves of a hash, and a bit for each name that has it. A free slot has no bit. */
const CELLS = 3;

/** Numbers that differ only in their last five bits are a group. */
const GROUP_BITS = 5;
const IN_GROUP = (1 << GROUP_BITS) - 1;
/** No character has this number or a higher one. */
const FIRST_GROUP = 65_536;
/** Numbers of up to nine digits. */
const NUMBERS_END = 1e9;
const [ZERO, DASH] = [48, 45];

/**
 * Remembers names by 64 bits of a hash, in 20 to 40 bytes for each hash, whatever their length. A run numbers its entries, as
 * `RUN-12`: up to 32 of these share one hash. It knows every name that it saw. Of 500,000 others it takes one for known in
 * ten million ledgers.
 */
export class SeenNames {
  #slots: number;
  #cells: Uint32Array;
  /** The number of hashes. */
  #size: number;
  /** Gives what a view has kept, when it is asked for the first time. */
  #kept: (() => Uint32Array) | null;

  /** `kept`: what another one has remembered, as its `size` and its `table`, which is a copy of its own. */
  constructor(kept?: { readonly size: number; readonly table: () => Uint32Array }) {
    this.#cells = new Uint32Array(kept === undefined ? CELLS * FIRST_SLOTS : 0);
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
    return this.#cells;
  }

  /** Returns false if it has seen the name before. */
  add(name: string): boolean {
    const { high, low, bit } = hashed(name);
    const place = this.#placeOf(high, low);
    const bits = this.#cells[place + 2] ?? 0;
    if ((bits & bit) !== 0) return false;
    this.#put(place, high, low, bits | bit);
    if (bits === 0) this.#size += 1;
    if (this.#size > this.#slots * FULL) this.#grow();
    return true;
  }

  has(name: string): boolean {
    const { high, low, bit } = hashed(name);
    const place = this.#placeOf(high, low);
    return ((this.#cells[place + 2] ?? 0) & bit) !== 0;
  }

  #unpack(): void {
    if (this.#kept === null) return;
    this.#cells = this.#kept();
    this.#slots = this.#cells.length / CELLS;
    this.#kept = null;
  }

  /** Where the hash stands, or the free place for it. */
  #placeOf(high: number, low: number): number {
    this.#unpack();
    const cells = this.#cells;
    let slot = high & (this.#slots - 1);
    for (;;) {
      const place = CELLS * slot;
      if (cells[place + 2] === 0 || (cells[place + 1] === low && cells[place] === high)) return place;
      slot = (slot + 1) & (this.#slots - 1);
    }
  }

  #put(place: number, high: number, low: number, bits: number): void {
    this.#cells[place] = high;
    this.#cells[place + 1] = low;
    this.#cells[place + 2] = bits;
  }

  #grow(): void {
    const old = this.#cells;
    this.#slots *= 2;
    this.#cells = new Uint32Array(CELLS * this.#slots);
    for (let place = 0; place < old.length; place += CELLS) {
      const [high = 0, low = 0, bits = 0] = [old[place], old[place + 1], old[place + 2]];
      if (bits !== 0) this.#put(this.#placeOf(high, low), high, low, bits);
    }
  }
}

interface Hashed {
  readonly high: number;
  readonly low: number;
  readonly bit: number;
}

/** The hash is that of the whole name; where it ends in a number, of what is before it and of the number's group. */
function hashed(name: string): Hashed {
  let number = 0;
  let at = name.length;
  for (let factor = 1; factor < NUMBERS_END; factor *= 10) {
    const digit = name.charCodeAt(at - 1) - ZERO;
    if (!(digit >= 0 && digit <= 9)) break;
    number += digit * factor;
    at -= 1;
  }
  const isNumbered = at < name.length && name.charCodeAt(at - 1) === DASH && name.charCodeAt(at) !== ZERO;
  const [high, low] = isNumbered
    ? hashOf(name.slice(0, at), 0, FIRST_GROUP + (number >>> GROUP_BITS))
    : hashOf(name);
  return { high, low, bit: isNumbered ? 1 << (number & IN_GROUP) : 1 };
}
