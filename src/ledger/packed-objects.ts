import { hashOf } from '../domain/hash.ts';
import { objectKey, type KnownObject } from '../domain/knowledge.ts';
import { listKey } from '../domain/objects-on-record.ts';
import {
  FIRST_PLACE,
  follow,
  markOutdated,
  RecordMaker,
  Records,
  type Cells,
  type TimedObject,
} from './object-record.ts';
import { ObjectTable } from './object-table.ts';
import { BYTES_MAX } from './object-table-bytes.ts';
import { GrowingBytes } from './growing-bytes.ts';
import { PlaceTable } from './place-table.ts';
import { SharedTexts } from './shared-texts.ts';

/** Outdated records are removed when they take so many bytes, and half of all. */
const OUTDATED_BYTES = 4_194_304;

/**
 * Objects as records in memory. There they take a fourth of the space that they take as objects, and the collector does
 * not go through them. One that is taken out gets another record when it is put back.
 */
export class PackedObjects {
  readonly #texts = new SharedTexts();
  readonly #maker = new RecordMaker(this.#texts);
  readonly #sizes = new Map<string, number>();
  #bytes = emptyBytes();
  #records = new Records(this.#bytes, this.#texts);
  #keys = new PlaceTable();
  #size = 0;
  #protected = 0;
  #outdatedBytes = 0;

  get size(): number {
    return this.#size;
  }

  put(timed: TimedObject): void {
    const { bytes, key } = this.#maker.recordOf(timed);
    if (this.#bytes.length + bytes.length > BYTES_MAX) throw new RangeError('too many objects for a table');
    const isOld = (at: number) => this.#records.isOf(at, key) && this.#records.isOutdated(at);
    this.#keys.add(key, this.#bytes.add(bytes), isOld);
    this.#count(timed.object, 1);
  }

  /** Takes out an object and its times; undefined where there is none. */
  take(key: string, cells: Cells): KnownObject | undefined {
    let object: KnownObject | undefined;
    const hash = hashOf(key);
    const place = this.#keys.get(hash, (at) => {
      if (!this.#records.isOf(at, hash) || this.#records.isOutdated(at)) return false;
      const there = this.#records.objectAt(at);
      object = objectKey(there.accountId, there.kind, there.id) === key ? there : undefined;
      return object !== undefined;
    });
    if (object === undefined) return undefined;
    this.#records.fillTimes(place, cells);
    const { bytes } = this.#records.recordAt(place);
    markOutdated(bytes);
    this.#outdatedBytes += bytes.length;
    this.#count(object, -1);
    if (this.#outdatedBytes > OUTDATED_BYTES && this.#outdatedBytes > this.#bytes.length / 2) this.#tidy();
    return object;
  }

  /** All of them as a table. Nothing may be put in or taken out after that. */
  table(): ObjectTable {
    const [bytes, keys, names] = [this.#bytes, this.#keys, new PlaceTable()];
    for (const { place, name, bytes: record } of this.#records.upTo(bytes.length))
      follow(record, names.addFirst(name, place));
    return new ObjectTable({
      bytes,
      end: bytes.length,
      keys: () => keys.cells,
      names: () => names.cells,
      texts: this.#texts.list,
      size: this.#size,
      sizes: [...this.#sizes],
      mayHaveProtected: this.#protected > 0,
    });
  }

  #count({ accountId, kind, isProtected }: KnownObject, more: 1 | -1): void {
    const list = listKey(accountId, kind);
    const size = (this.#sizes.get(list) ?? 0) + more;
    if (size === 0) this.#sizes.delete(list);
    else this.#sizes.set(list, size);
    this.#size += more;
    if (isProtected) this.#protected += more;
  }

  /** Removes the outdated records. */
  #tidy(): void {
    const [bytes, keys] = [emptyBytes(), new PlaceTable()];
    for (const record of this.#records.upTo(this.#bytes.length))
      keys.add(record.key, bytes.add(record.bytes));
    this.#bytes = bytes;
    this.#records = new Records(bytes, this.#texts);
    this.#keys = keys;
    this.#outdatedBytes = 0;
  }
}

/** No record may have the place 0. */
function emptyBytes(): GrowingBytes {
  const bytes = new GrowingBytes();
  bytes.add(new Uint8Array(FIRST_PLACE));
  return bytes;
}
