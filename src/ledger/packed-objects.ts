import { hashOf } from '../domain/hash.ts';
import { objectKey, type KnownObject } from '../domain/knowledge.ts';
import type { AccountId } from '../domain/ids.ts';
import type { Kind } from '../domain/resource.ts';
import { listKey } from '../domain/objects-on-record.ts';
import {
  chainNames,
  FIRST_PLACE,
  markOutdated,
  RecordMaker,
  Records,
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
  /** By kind and account: a text for both would be made for each object. */
  readonly #sizes = new Map<Kind, Map<AccountId, number>>();
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
  take(key: string): TimedObject | undefined {
    let object: KnownObject | undefined;
    const hash = hashOf(key);
    const place = this.#keys.get(hash, (at) => {
      if (!this.#records.isOf(at, hash) || this.#records.isOutdated(at)) return false;
      const there = this.#records.objectAt(at);
      object = objectKey(there.accountId, there.kind, there.id) === key ? there : undefined;
      return object !== undefined;
    });
    if (object === undefined) return undefined;
    const times = this.#records.timesAt(place);
    const { bytes } = this.#records.recordAt(place);
    markOutdated(bytes);
    this.#outdatedBytes += bytes.length;
    this.#count(object, -1);
    if (this.#outdatedBytes > OUTDATED_BYTES && this.#outdatedBytes > this.#bytes.length / 2) this.#tidy();
    return { object, times };
  }

  /** All of them as a table. Nothing may be put in or taken out after that. */
  table(): ObjectTable {
    if (this.#outdatedBytes > OUTDATED_BYTES) this.#tidy();
    const [bytes, keys, names] = [this.#bytes, this.#keys, new PlaceTable()];
    let start = 0;
    for (const piece of bytes.pieces()) {
      chainNames(piece, start === 0 ? FIRST_PLACE : 0, (place, name) => names.addFirst(name, start + place));
      start += piece.length;
    }
    return new ObjectTable({
      bytes,
      pieces: () => bytes.pieces(),
      end: bytes.length,
      keys: () => keys.cells,
      names: () => names.cells,
      texts: this.#texts.list,
      size: this.#size,
      sizes: [...this.#sizes].flatMap(([kind, ofKind]) =>
        [...ofKind].map(([accountId, size]) => [listKey(accountId, kind), size] as const),
      ),
      mayHaveProtected: this.#protected > 0,
    });
  }

  #count({ accountId, kind, isProtected }: KnownObject, more: 1 | -1): void {
    const ofKind = this.#sizes.get(kind) ?? new Map<AccountId, number>();
    if (ofKind.size === 0) this.#sizes.set(kind, ofKind);
    const size = (ofKind.get(accountId) ?? 0) + more;
    if (size === 0) ofKind.delete(accountId);
    else ofKind.set(accountId, size);
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
