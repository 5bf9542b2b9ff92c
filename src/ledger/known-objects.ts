import type { AccountId } from '../domain/ids.ts';
import { objectKey, type KnownObject, type ObjectsOnRecord } from '../domain/knowledge.ts';
import { ObjectsWith } from '../domain/objects-on-record.ts';
import { KINDS, type Kind } from '../domain/resource.ts';
import type { Effect } from './effects.ts';
import type { IntentLine } from './lines.ts';
import { COLUMNS, freshObject, HEARD, OFTEN_THE_SAME, WIDTH, type Field } from './object-fields.ts';
import { RecordMaker, type ObjectRecord } from './object-record.ts';
import type { ObjectTable } from './object-table.ts';
import { SharedTexts } from './shared-texts.ts';

/** The number of objects with times in one piece of memory. */
const BLOCK_ROWS = 1_024;

/** When a line was written, and which one of its file it is. */
export interface Said {
  readonly ms: number;
  readonly place: number;
}

/** One object, and where its times stand: of each word that holds, and of the last change of each kind. */
interface Row {
  object: Mutable<KnownObject>;
  /** A snapshot has it too, so it must not be changed any more. */
  isShared: boolean;
  readonly times: Float64Array;
  readonly places: Uint32Array;
  readonly first: number;
}

type Mutable<Of> = { -readonly [Member in keyof Of]: Of[Member] };
type Change = Pick<IntentLine, 'account_id' | 'live_id'> & { readonly call: keyof typeof HEARD };

/**
 * What lines say of live objects, field by field, taken in any order: of each field the word of the latest time holds,
 * and among those of one time the one that stands last in the file.
 */
export class KnownObjects {
  readonly #rows = new Map<string, Row>();
  readonly #texts = new Map<string, string>();
  #times = new Float64Array();
  #places = new Uint32Array();
  #snapshot: ObjectsOnRecord | null = null;
  /** What a kept view knows; an object is taken out of it as soon as a line says something of it. */
  readonly #table: ObjectTable | null;
  /** The object that was asked for last: most lines are about that of the line before. */
  #last: Row | null = null;

  constructor(table: ObjectTable | null = null) {
    this.#table = table;
  }

  say({ accountId, kind, id, parts }: Effect, said: Said): void {
    this.#snapshot = null;
    const row = this.#row(accountId, kind, id);
    if (row.isShared) row.object = { ...row.object };
    row.isShared = false;
    const object: Record<string, unknown> = row.object;
    for (const field in parts) {
      if (!isLastWord(row, field, said)) continue;
      const value = parts[field as Field];
      if (value === object[field]) continue;
      object[field] = typeof value === 'string' && OFTEN_THE_SAME.has(field) ? this.#once(value) : value;
    }
  }

  /** A change of the object was heard of that left at that time at the latest. */
  heard({ call, account_id, live_id }: Change, kind: Kind, leftMs: number): void {
    const { times, first } = this.#row(account_id, kind, live_id ?? '');
    const cell = first + HEARD[call];
    times[cell] = Math.max(times[cell] ?? Number.NEGATIVE_INFINITY, leftMs);
  }

  /** When the last such change left that was heard of, whatever kind the object is of. */
  heardUntilMs({ call, account_id, live_id }: Change): number {
    let latestMs = Number.NEGATIVE_INFINITY;
    for (const kind of KINDS) {
      const row = this.#known(objectKey(account_id, kind, live_id ?? ''));
      if (row !== undefined) latestMs = Math.max(latestMs, row.times[row.first + HEARD[call]] ?? latestMs);
    }
    return latestMs;
  }

  /** The number of the line that has the last word on a field of the object; null where none has. */
  lineOf(key: string, field: Field): number | null {
    const row = this.#known(key);
    const cell = (row?.first ?? 0) + (COLUMNS.get(field) ?? 0);
    return row === undefined || row.times[cell] === Number.NEGATIVE_INFINITY
      ? null
      : (row.places[cell] ?? null);
  }

  /** When that line was written, in epoch milliseconds by the clock of the service; null where none has. */
  saidAtMs(key: string, field: Field): number | null {
    const row = this.#known(key);
    const ms = row?.times[row.first + (COLUMNS.get(field) ?? 0)];
    return ms === undefined || !Number.isFinite(ms) ? null : ms;
  }

  /** The objects as known now, by `objectKey`. Later lines do not change the result. */
  snapshot(): ObjectsOnRecord {
    if (this.#snapshot !== null) return this.#snapshot;
    const objects = new Map<string, KnownObject>();
    for (const [key, row] of this.#rows) {
      objects.set(key, row.object);
      row.isShared = true;
    }
    this.#snapshot = this.#table === null ? objects : new ObjectsWith(this.#table, objects);
    return this.#snapshot;
  }

  /** The texts that the records of the kept view share. More can be added. */
  sharedTexts(): SharedTexts {
    return new SharedTexts(this.#table?.texts.list);
  }

  /** Each object as a record of a view, those of the kept view first. */
  *records(texts: SharedTexts): Generator<ObjectRecord, undefined> {
    const isOutdated = new Set([...this.#rows.keys()].map((key) => this.#table?.placeOf(key) ?? 0));
    for (const record of this.#table?.records() ?? []) if (!isOutdated.has(record.place)) yield record;
    const maker = new RecordMaker(texts);
    for (const row of this.#rows.values()) yield maker.recordOf(row);
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
    if (known !== undefined || this.#table === null) return known;
    const object = this.#table.get(key);
    if (object === undefined) return undefined;
    const row = this.#newRow(key, { ...object });
    this.#table.fillTimes(key, row);
    return row;
  }

  #newRow(key: string, object: KnownObject): Row {
    const index = this.#rows.size % BLOCK_ROWS;
    if (index === 0) {
      this.#times = new Float64Array(BLOCK_ROWS * WIDTH).fill(Number.NEGATIVE_INFINITY);
      this.#places = new Uint32Array(BLOCK_ROWS * WIDTH);
    }
    const [times, places] = [this.#times, this.#places];
    const row: Row = { object, isShared: false, times, places, first: index * WIDTH };
    this.#rows.set(key, row);
    return row;
  }

  #once(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }
}

/** Whether no later word holds of the field; the time of this one is noted then. */
function isLastWord({ times, places, first }: Row, field: string, { ms, place }: Said): boolean {
  const column = COLUMNS.get(field);
  if (column === undefined) return false;
  const cell = first + column;
  const time = times[cell] ?? Number.NEGATIVE_INFINITY;
  if (ms < time || (ms === time && place < (places[cell] ?? 0))) return false;
  times[cell] = ms;
  places[cell] = place;
  return true;
}
