import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** How many values are packed together. */
const PACK_SIZE = 256;
/** The fastest. Lines are so alike that it is enough. */
const LEVEL = 1;

/** Many plain values in little memory. They are mostly asked for in the order in which they were added. */
export class PackedValues<Value> {
  readonly #packs: Buffer[] = [];
  #newest: Value[] = [];
  #unpacked: { readonly pack: number; readonly values: readonly Value[] } = { pack: -1, values: [] };

  /** Returns its number, from 0. */
  add(value: Value): number {
    this.#newest.push(value);
    const number = this.#packs.length * PACK_SIZE + this.#newest.length - 1;
    if (this.#newest.length === PACK_SIZE) {
      this.#packs.push(deflateRawSync(JSON.stringify(this.#newest), { level: LEVEL }));
      this.#newest = [];
    }
    return number;
  }

  get(number: number): Value | undefined {
    const pack = Math.floor(number / PACK_SIZE);
    const values = pack === this.#packs.length ? this.#newest : this.#valuesOf(pack);
    return values[number % PACK_SIZE];
  }

  #valuesOf(pack: number): readonly Value[] {
    const bytes = this.#packs[pack];
    if (this.#unpacked.pack !== pack && bytes !== undefined)
      this.#unpacked = { pack, values: JSON.parse(inflateRawSync(bytes).toString('utf8')) as Value[] };
    return this.#unpacked.pack === pack ? this.#unpacked.values : [];
  }
}
