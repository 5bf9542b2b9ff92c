import { hashOf } from '../domain/hash.ts';
import type { AccountId } from '../domain/ids.ts';
import type { ViewBytes } from '../domain/ledger-store.ts';
import { objectKey, type KnownLists, type KnownObject } from '../domain/knowledge.ts';
import { nameKey, ObjectsByKey } from '../domain/objects-on-record.ts';
import type { Kind } from '../domain/resource.ts';

import { Records, type ObjectRecord } from './object-record.ts';
import type { TableEnd } from './object-table-bytes.ts';
import type { LinePlace, ObjectTimes } from './object-times.ts';
import { PlaceTable } from './place-table.ts';
import { SharedTexts } from './shared-texts.ts';

/** A table of objects, as it is kept. */
export interface KeptObjects {
  /** With the records at their beginning. The first bytes are not used, so that no record has the place 0. */
  readonly bytes: ViewBytes;
  readonly end: number;
  /** All of them, where they are in memory; missing where they are only lent. */
  readonly pieces?: () => Iterable<Uint8Array>;
  /** The cells of its tables. */
  readonly keys: () => Uint32Array;
  readonly names: () => Uint32Array;
  readonly texts: readonly string[];
  readonly size: number;
  readonly sizes: readonly (readonly [string, number])[];
  readonly mayHaveProtected: boolean;
}

/** All objects of a kept view. One is taken out of the bytes when it is asked for. */
export class ObjectTable extends ObjectsByKey {
  readonly size: number;
  readonly lists: KnownLists;
  /** Texts that its records share. */
  readonly texts: SharedTexts;
  readonly #records: Records;
  readonly #kept: KeptObjects;
  /** Unpacked when they are asked for the first time. */
  #keys: PlaceTable | null = null;
  #names: PlaceTable | null = null;
  readonly #taken = new Map<number, KnownObject>();

  constructor(kept: KeptObjects) {
    super();
    const { bytes, texts, size, sizes, mayHaveProtected } = kept;
    this.size = size;
    this.texts = new SharedTexts(texts);
    this.#kept = kept;
    this.#records = new Records(bytes, this.texts);
    this.lists = {
      sizes: new Map(sizes),
      mayHaveProtected,
      named: (accountId, kind, name) => this.#named(accountId, kind, name),
    };
  }

  get(key: string): KnownObject | undefined {
    const place = this.placeOf(key);
    return place === 0 ? undefined : this.#take(place);
  }

  *entries(): Generator<[string, KnownObject], undefined> {
    for (const { place } of this.records()) {
      const object = this.#take(place);
      yield [keyOf(object), object];
    }
  }

  /** In the order in which they stand. */
  records(): Generator<ObjectRecord, undefined> {
    return this.#records.upTo(this.#kept.end);
  }

  /** Its bytes as they are kept; null where they are only lent. */
  asKept(): { readonly pieces: Iterable<Uint8Array>; readonly end: TableEnd } | null {
    const { pieces, end: bytes, keys, names } = this.#kept;
    return pieces === undefined ? null : { pieces: pieces(), end: { bytes, keys: keys(), names: names() } };
  }

  /** Where its record stands; 0 where it has none. */
  placeOf(key: string): number {
    this.#keys ??= new PlaceTable(this.#kept.keys());
    const hash = hashOf(key);
    return this.#keys.get(
      hash,
      (place) => this.#records.isOf(place, hash) && keyOf(this.#take(place)) === key,
    );
  }

  /** When the line was written that has the last word on a column of the object, and its number; null where none has. */
  saidOf(key: string, column: number): LinePlace | null {
    const place = this.placeOf(key);
    return place === 0 ? null : this.#records.saidAt(place, column);
  }

  timesOf(key: string): ObjectTimes {
    return this.#records.timesAt(this.placeOf(key));
  }

  #named(accountId: AccountId, kind: Kind, name: string): readonly KnownObject[] {
    const found: KnownObject[] = [];
    this.#names ??= new PlaceTable(this.#kept.names());
    let place = this.#names.first(hashOf(nameKey(accountId, kind, name)));
    for (; place !== 0; place = this.#records.before(place)) {
      const object = this.#take(place);
      if (object.accountId === accountId && object.kind === kind && object.name === name) found.push(object);
    }
    return found;
  }

  #take(place: number): KnownObject {
    const known = this.#taken.get(place) ?? this.#records.objectAt(place);
    this.#taken.set(place, known);
    return known;
  }
}

function keyOf({ accountId, kind, id }: KnownObject): string {
  return objectKey(accountId, kind, id);
}
