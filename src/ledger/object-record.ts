import { freshObject } from '../domain/fresh-object.ts';
import { hashOf } from '../domain/hash.ts';
import { objectKey, type KnownObject } from '../domain/knowledge.ts';
import type { ViewBytes } from '../domain/ledger-store.ts';
import { nameKey } from '../domain/objects-on-record.ts';
import type { Kind } from '../domain/resource.ts';
import { COLUMNS, OFTEN_THE_SAME, type Field } from './object-fields.ts';
import {
  FIRST_WORD,
  HEARD,
  NEVER,
  noTimes,
  saidOn,
  WORD_CELLS,
  type LinePlace,
  type ObjectTimes,
} from './object-times.ts';
import type { SharedTexts } from './shared-texts.ts';

export interface TimedObject {
  readonly object: KnownObject;
  readonly times: ObjectTimes;
}

/** One object as bytes. */
export interface ObjectRecord {
  /** Where it stands in the table that it is from; 0 for one that is new. */
  readonly place: number;
  /** Lent until the next record is asked for. */
  readonly bytes: Uint8Array;
  /** The hash of its key, and that of its name in its list. */
  readonly key: Halves;
  readonly name: Halves;
}

/**
 * | from | bytes | what                                                                                    |
 * |------|-------|-----------------------------------------------------------------------------------------|
 * | 0    | 4     | the length of the values                                                                |
 * | 4    | 4     | the place of the record before it that may have the same name; 0 for none; or `OUTDATED`  |
 * | 8    | 8     | the hash of its key                                                                     |
 * | 16   | 8     | the hash of its name in its list                                                        |
 * | 24   | 4     | the fields with another value than that of an unknown object, one bit each              |
 * | 28   | 4     | the number of times                                                                     |
 * | 32   | 16    | when the last change of its status left that was heard of, and the last recall          |
 * | 48   | 16 n  | each time, the number of its line, and the fields that have it, as in `ObjectTimes`     |
 * |      |       | the values as a JSON list: its id, its account, its kind, and those fields              |
 *
 * Texts that many objects have are numbers there.
 */
const LENGTH = 0;
const BEFORE = 4;
const KEY = 8;
const NAME = 16;
const FIELDS = 24;
const TIMES = 28;
const STATUS = 32;
const UNSEND = 40;
const FIRST_TIME = 48;
const TIME_BYTES = 16;

/** In memory: another record has taken the place of this one. No record has this place. */
const OUTDATED = 0xff_ff_ff_ff;

export type Halves = readonly [number, number];

/** Of the first record: what is before it is not used, so that no record has the place 0. */
export const FIRST_PLACE = 8;

const FIRST_BYTES = 4_096;
/** In UTF-8, a unit of a text takes so many bytes at most. */
const BYTES_OF_UNIT = 3;

/** Makes records, each in the memory of the one before. None of them follows another one. */
export class RecordMaker {
  readonly #texts: SharedTexts;
  #bytes = Buffer.alloc(FIRST_BYTES);
  #view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset);

  constructor(texts: SharedTexts) {
    this.#texts = texts;
  }

  recordOf(timed: TimedObject): ObjectRecord {
    const { id, accountId, kind, name } = timed.object;
    const key = hashOf(objectKey(accountId, kind, id));
    const named = hashOf(nameKey(accountId, kind, name));
    const { fields, text } = this.#valuesOf(timed.object);
    this.#makeRoom(FIRST_TIME + TIME_BYTES * timed.times.length + BYTES_OF_UNIT * text.length);
    const count = this.#putTimes(timed.times);
    const head = FIRST_TIME + TIME_BYTES * count;
    const length = this.#bytes.write(text, head);
    const view = this.#view;
    view.setUint32(LENGTH, length, true);
    view.setUint32(BEFORE, 0, true);
    putHalves(view, KEY, key);
    putHalves(view, NAME, named);
    view.setUint32(FIELDS, fields, true);
    view.setUint32(TIMES, count, true);
    return { place: 0, bytes: this.#bytes.subarray(0, head + length), key, name: named };
  }

  #valuesOf(object: KnownObject): { readonly fields: number; readonly text: string } {
    const { id, accountId, kind } = object;
    const values: unknown[] = [id, accountId, kind];
    let fields = 0;
    for (let column = 0; column < FIELD_NAMES.length; column += 1) {
      const field = FIELD_NAMES[column] as Field;
      const value = object[field];
      if (value === NOTHING_VALUES[column]) continue;
      fields |= 1 << column;
      values.push(OFTEN_THE_SAME.has(field) && typeof value === 'string' ? this.#texts.shared(value) : value);
    }
    return { fields, text: JSON.stringify(values) };
  }

  /** Returns the number of lines that have a last word. */
  #putTimes(times: ObjectTimes): number {
    const view = this.#view;
    view.setFloat64(STATUS, times[HEARD.status] ?? NEVER, true);
    view.setFloat64(UNSEND, times[HEARD.unsend] ?? NEVER, true);
    let end = FIRST_TIME;
    for (let at = FIRST_WORD; at < times.length; at += WORD_CELLS) {
      const [ms = NEVER, place = 0, fields = 0] = [times[at], times[at + 1], times[at + 2]];
      if (fields === 0) continue;
      view.setFloat64(end, ms, true);
      view.setUint32(end + 8, place, true);
      view.setUint32(end + 12, fields, true);
      end += TIME_BYTES;
    }
    return (end - FIRST_TIME) / TIME_BYTES;
  }

  #makeRoom(length: number): void {
    if (length <= this.#bytes.length) return;
    this.#bytes = Buffer.alloc(2 * length);
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset);
  }
}

const FIELD_NAMES = [...COLUMNS.keys()] as readonly Field[];
const NOTHING_KNOWN = freshObject('', '', 'campaign');
const NOTHING_VALUES = FIELD_NAMES.map((field) => NOTHING_KNOWN[field]);

function putHalves(view: DataView, at: number, [high, low]: Halves): void {
  view.setUint32(at, high, true);
  view.setUint32(at + 4, low, true);
}

/**
 * Goes through a piece of memory that has whole records from a place on. Of each that is not outdated, `before` gets the
 * place and the hash of its name, and gives the place of the record before it.
 */
export function chainNames(
  piece: Uint8Array,
  from: number,
  before: (place: number, name: Halves) => number,
): void {
  const view = viewOf(piece);
  for (let at = from; at < piece.length;) {
    if (view.getUint32(at + BEFORE, true) !== OUTDATED)
      view.setUint32(at + BEFORE, before(at, halves(view, at + NAME)), true);
    at += FIRST_TIME + TIME_BYTES * view.getUint32(at + TIMES, true) + view.getUint32(at + LENGTH, true);
  }
}

/** Reads records by their places. */
export class Records {
  readonly #bytes: ViewBytes;
  readonly #texts: SharedTexts;

  constructor(bytes: ViewBytes, texts: SharedTexts) {
    this.#bytes = bytes;
    this.#texts = texts;
  }

  /** Those that are not outdated, from the first one up to that place. */
  *upTo(end: number): Generator<ObjectRecord, undefined> {
    for (let place = FIRST_PLACE; place < end;) {
      const record = this.recordAt(place);
      place += record.bytes.length;
      if (!this.isOutdated(record.place)) yield record;
    }
  }

  /** Whether the key of the object has that hash. */
  isOf(place: number, [high, low]: Halves): boolean {
    const head = this.#headAt(place);
    return head.getUint32(KEY, true) === high && head.getUint32(KEY + 4, true) === low;
  }

  /** Whether another record has taken the place of it. */
  isOutdated(place: number): boolean {
    return this.before(place) === OUTDATED;
  }

  recordAt(place: number): ObjectRecord {
    const view = this.#headAt(place);
    const bytes = this.#bytes.at(place, lengthOf(view));
    return { place, bytes, key: halves(view, KEY), name: halves(view, NAME) };
  }

  /** The place of the record before it that may have the same name; 0 for none. */
  before(place: number): number {
    return this.#headAt(place).getUint32(BEFORE, true);
  }

  objectAt(place: number): KnownObject {
    const head = this.#headAt(place);
    const { buffer, byteOffset, byteLength } = this.#bytes.at(
      place + valuesOf(head),
      head.getUint32(LENGTH, true),
    );
    const text = Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
    const [id, accountId, kind, ...values] = JSON.parse(text) as [string, string, Kind, ...unknown[]];
    const object: Record<string, unknown> = { ...freshObject(id, accountId, kind) };
    const fields = head.getUint32(FIELDS, true);
    let next = 0;
    for (const [field, column] of COLUMNS) {
      if ((fields & (1 << column)) === 0) continue;
      const value = values[next++];
      object[field] = OFTEN_THE_SAME.has(field) ? this.#texts.whole(value) : value;
    }
    return object as unknown as KnownObject;
  }

  timesAt(place: number): ObjectTimes {
    const view = viewOf(this.#bytes.at(place, valuesOf(this.#headAt(place))));
    const times = noTimes();
    times[HEARD.status] = view.getFloat64(STATUS, true);
    times[HEARD.unsend] = view.getFloat64(UNSEND, true);
    for (let at = FIRST_TIME; at < view.byteLength; at += TIME_BYTES)
      times.push(view.getFloat64(at, true), view.getUint32(at + 8, true), view.getUint32(at + 12, true));
    return times;
  }

  /** The time of that column, and the number of its line; null where nothing was said. */
  saidAt(place: number, column: number): LinePlace | null {
    const head = this.#headAt(place);
    const view = viewOf(this.#bytes.at(place, valuesOf(head)));
    for (let at = FIRST_TIME; at < view.byteLength; at += TIME_BYTES) {
      const [ms, line] = [view.getFloat64(at, true), view.getUint32(at + 8, true)];
      const said = saidOn(column, ms, line, view.getUint32(at + 12, true));
      if (said !== null) return said;
    }
    return null;
  }

  #headAt(place: number): DataView {
    return viewOf(this.#bytes.at(place, FIRST_TIME));
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Where the values of a record begin. */
function valuesOf(head: DataView): number {
  return FIRST_TIME + TIME_BYTES * head.getUint32(TIMES, true);
}

function lengthOf(head: DataView): number {
  return valuesOf(head) + head.getUint32(LENGTH, true);
}

function halves(view: DataView, at: number): Halves {
  return [view.getUint32(at, true), view.getUint32(at + 4, true)];
}

/** Says in a record that another one has taken its place. */
export function markOutdated(bytes: Uint8Array): void {
  follow(bytes, OUTDATED);
}

/** Says in a copy of a record which one is before it. */
export function follow(copy: Uint8Array, before: number): void {
  new DataView(copy.buffer, copy.byteOffset).setUint32(BEFORE, before, true);
}
