import { freshObject } from '../domain/fresh-object.ts';
import type { AccountId } from '../domain/ids.ts';
import { objectKey, type KnownObject, type ObjectsOnRecord } from '../domain/knowledge.ts';
import { ObjectsWith } from '../domain/objects-on-record.ts';
import { KINDS, type Kind } from '../domain/resource.ts';
import type { Effect } from './effects.ts';
import type { IntentLine } from './lines.ts';
import { COLUMNS, OFTEN_THE_SAME, type Field } from './object-fields.ts';
import { RecordMaker, type ObjectRecord, type TimedObject } from './object-record.ts';
import type { ObjectTable } from './object-table.ts';
import {
  bitOf,
  HEARD,
  lastWordOn,
  NEVER,
  noTimes,
  takeLastWord,
  type LinePlace,
  type SaidAt,
} from './object-times.ts';
import { tableBytes, type TableEnd } from './object-table-bytes.ts';
import { PackedObjects } from './packed-objects.ts';
import { SharedTexts } from './shared-texts.ts';

/** So many objects that lines spoke of last stay unpacked. Twice as many may be. */
const UNPACKED = 8_192;

interface Row extends TimedObject {
  object: Mutable<KnownObject>;
  /** A snapshot has it too, so it must not be changed any more. */
  isShared: boolean;
}

type Mutable<Of> = { -readonly [Member in keyof Of]: Of[Member] };
type Change = Pick<IntentLine, 'account_id' | 'live_id'> & { readonly call: keyof typeof HEARD };

/**
 * What lines say of live objects, field by field, taken in any order: of each field the word of the latest time holds,
 * and among those of one time the one that stands last in the file.
 *
 * | where an object is | which                                                                               |
 * |--------------------|-------------------------------------------------------------------------------------|
 * | `#rows`, `#before` | those that lines spoke of last, and before them                                     |
 * | `#packed`          | all others, while the first lines are read: there may be hundreds of thousands      |
 * | `#table`           | those of the lines before: of a kept view, or all that were packed at a snapshot    |
 */
export class KnownObjects {
  #rows = new Map<string, Row>();
  #before = new Map<string, Row>();
  #packed: PackedObjects | null;
  /** An object is taken out of it as soon as a line says something of it. */
  #table: ObjectTable | null;
  readonly #unpacked: number;
  readonly #texts = new Map<string, string>();
  #snapshot: ObjectsOnRecord | null = null;
  /** The object that was asked for last: most lines are about that of the line before. */
  #last: Row | null = null;

  constructor(table: ObjectTable | null = null, unpacked = UNPACKED) {
    this.#table = table;
    this.#packed = table === null ? new PackedObjects() : null;
    this.#unpacked = unpacked;
  }

  say({ accountId, kind, id, parts }: Effect, said: LinePlace): void {
    this.#snapshot = null;
    const row = this.#row(accountId, kind, id);
    if (row.isShared) row.object = { ...row.object };
    row.isShared = false;
    const object: Record<string, unknown> = row.object;
    let fields = 0;
    for (const field in parts) fields |= bitOf(field);
    fields = takeLastWord(row.times, fields, said);
    for (const field in parts) {
      if ((fields & bitOf(field)) === 0) continue;
      const value = parts[field as Field];
      if (value === object[field]) continue;
      object[field] = typeof value === 'string' && OFTEN_THE_SAME.has(field) ? this.#once(value) : value;
    }
  }

  /** A change of the object was heard of that left at that time at the latest. */
  heard({ call, account_id, live_id }: Change, kind: Kind, leftMs: number): void {
    const { times } = this.#row(account_id, kind, live_id ?? '');
    times[HEARD[call]] = Math.max(times[HEARD[call]] ?? NEVER, leftMs);
  }

  /** When the last such change left that was heard of, whatever kind the object is of. */
  heardUntilMs({ call, account_id, live_id }: Change): number {
    let latestMs = NEVER;
    for (const kind of KINDS) {
      const row = this.#known(objectKey(account_id, kind, live_id ?? ''));
      if (row !== undefined) latestMs = Math.max(latestMs, row.times[HEARD[call]] ?? latestMs);
    }
    return latestMs;
  }

  /** The number of the line that has the last word on a field of the object; null where none has. */
  lineOf(key: string, field: Field): number | null {
    const said = this.#saidOf(key, field);
    return said === null || said.ms === NEVER ? null : said.place;
  }

  /** When that line was written; null where none has. */
  saidAt(key: string, field: Field): SaidAt | null {
    const said = this.#saidOf(key, field);
    if (said === null || !Number.isFinite(said.ms)) return null;
    return { ms: said.ms, isByService: said.isByService };
  }

  /** The objects as known now, by `objectKey`. Later lines do not change the result. */
  snapshot(): ObjectsOnRecord {
    this.#snapshot ??= this.#newSnapshot();
    return this.#snapshot;
  }

  /** The texts that the records of the table share. More can be added. */
  sharedTexts(): SharedTexts {
    this.#settle();
    return new SharedTexts(this.#table?.texts.list);
  }

  /** Each object as a record of a view, those of the table first. */
  *records(texts: SharedTexts): Generator<ObjectRecord, undefined> {
    this.#settle();
    const isOutdated = new Set([...this.#rows.keys()].map((key) => this.#table?.placeOf(key) ?? 0));
    for (const record of this.#table?.records() ?? []) if (!isOutdated.has(record.place)) yield record;
    const maker = new RecordMaker(texts);
    for (const row of this.#rows.values()) yield maker.recordOf(row);
  }

  /** The same as the table of a view. */
  *tableBytes(texts: SharedTexts): Generator<Uint8Array, TableEnd, undefined> {
    this.#settle();
    const kept = this.#rows.size === 0 ? (this.#table?.asKept() ?? null) : null;
    if (kept === null) return yield* tableBytes(this.records(texts));
    yield* kept.pieces;
    return kept.end;
  }

  #newSnapshot(): ObjectsOnRecord {
    this.#settle();
    const objects = new Map<string, KnownObject>();
    for (const [key, row] of this.#rows) {
      objects.set(key, row.object);
      row.isShared = true;
    }
    if (this.#table === null) return objects;
    return objects.size === 0 ? this.#table : new ObjectsWith(this.#table, objects);
  }

  /** Ends the packing: what is packed becomes a table. A short ledger has none. */
  #settle(): void {
    const packed = this.#packed;
    this.#packed = null;
    if (packed === null || packed.size === 0) {
      for (const [key, row] of this.#before) this.#rows.set(key, row);
      this.#before.clear();
      return;
    }
    for (const rows of [this.#before, this.#rows]) this.#pack(rows, packed);
    this.#table = packed.table();
  }

  #pack(rows: Map<string, Row>, packed: PackedObjects): void {
    for (const row of rows.values()) {
      packed.put(row);
    }
    rows.clear();
    this.#last = null;
  }

  #row(accountId: AccountId, kind: Kind, id: string): Row {
    const last = this.#last?.object;
    if (this.#last === null || last?.id !== id || last.accountId !== accountId || last.kind !== kind)
      this.#last = this.#rowByKey(accountId, kind, id);
    return this.#last;
  }

  #rowByKey(accountId: AccountId, kind: Kind, id: string): Row {
    const key = objectKey(accountId, kind, id);
    return this.#known(key) ?? this.#newRow(key, freshObject(id, this.#once(accountId), kind));
  }

  #known(key: string): Row | undefined {
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const before = this.#before.get(key);
    if (before === undefined) return this.#unpackedRow(key);
    this.#before.delete(key);
    return this.#keep(key, before);
  }

  #unpackedRow(key: string): Row | undefined {
    if (this.#packed !== null) {
      if (this.#packed.size === 0) return undefined;
      const packed = this.#packed.take(key);
      return packed === undefined ? undefined : this.#keep(key, { ...packed, isShared: false });
    }
    const object = this.#table?.get(key);
    if (object === undefined) return undefined;
    return this.#keep(key, {
      object: { ...object },
      times: this.#table?.timesOf(key) ?? noTimes(),
      isShared: false,
    });
  }

  #newRow(key: string, object: KnownObject): Row {
    return this.#keep(key, { object, times: noTimes(), isShared: false });
  }

  #keep(key: string, row: Row): Row {
    if (this.#packed !== null && this.#rows.size >= this.#unpacked) {
      this.#pack(this.#before, this.#packed);
      [this.#rows, this.#before] = [this.#before, this.#rows];
    }
    this.#rows.set(key, row);
    return row;
  }

  /** Who has the last word on a field, wherever the object is. */
  #saidOf(key: string, field: Field): LinePlace | null {
    this.#settle();
    const column = COLUMNS.get(field) ?? 0;
    const row = this.#rows.get(key);
    if (row === undefined) return this.#table?.saidOf(key, column) ?? null;
    return lastWordOn(row.times, column);
  }

  #once(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }
}
