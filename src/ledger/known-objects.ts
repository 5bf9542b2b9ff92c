import { objectKey, type KnownObject } from '../domain/knowledge.ts';
import { KINDS, type Kind } from '../domain/resource.ts';
import type { Effect } from './effects.ts';
import type { IntentLine } from './lines.ts';

/** What lines say of an object. */
export type Field = Exclude<keyof KnownObject, 'id' | 'accountId' | 'kind'>;

/** Each field that a line may say something of, with its column. */
const COLUMNS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    name: 0,
    createdByHerald: 1,
    ours: 2,
    isProtected: 3,
    contentDigest: 4,
    hiddenDigest: 5,
    listIds: 6,
    media: 7,
    pausedFor: 8,
    pausedAtMs: 9,
    supersededBy: 10,
    recalled: 11,
    recallRefused: 12,
    rewrites: 13,
    createdBy: 14,
    createLeftMs: 15,
    createdAs: 16,
  } satisfies Record<Field, number>),
);
/** The columns of what was heard of the object's changes. */
const HEARD = { status: 17, unsend: 18 } as const;
const WIDTH = COLUMNS.size + Object.keys(HEARD).length;
/** Names, makers and digests that many objects share are kept once. */
const OFTEN_THE_SAME: ReadonlySet<string> = new Set<Field>(['name', 'createdBy', 'hiddenDigest']);
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
  #snapshot: ReadonlyMap<string, KnownObject> | null = null;
  /** The object that was asked for last: most lines are about that of the line before. */
  #last: Row | null = null;

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
      const row = this.#rows.get(objectKey(account_id, kind, live_id ?? ''));
      if (row !== undefined) latestMs = Math.max(latestMs, row.times[row.first + HEARD[call]] ?? latestMs);
    }
    return latestMs;
  }

  /** The number of the line that has the last word on a field of the object; null where none has. */
  lineOf(key: string, field: Field): number | null {
    const row = this.#rows.get(key);
    const cell = (row?.first ?? 0) + (COLUMNS.get(field) ?? 0);
    return row === undefined || row.times[cell] === Number.NEGATIVE_INFINITY
      ? null
      : (row.places[cell] ?? null);
  }

  /** When that line was written, in epoch milliseconds by the clock of the service; null where none has. */
  saidAtMs(key: string, field: Field): number | null {
    const row = this.#rows.get(key);
    const ms = row?.times[row.first + (COLUMNS.get(field) ?? 0)];
    return ms === undefined || !Number.isFinite(ms) ? null : ms;
  }

  /** The objects as known now, by `objectKey`. Later lines do not change the result. */
  snapshot(): ReadonlyMap<string, KnownObject> {
    if (this.#snapshot !== null) return this.#snapshot;
    const objects = new Map<string, KnownObject>();
    for (const [key, row] of this.#rows) {
      objects.set(key, row.object);
      row.isShared = true;
    }
    this.#snapshot = objects;
    return objects;
  }

  #row(accountId: string, kind: Kind, id: string): Row {
    const last = this.#last?.object;
    if (this.#last === null || last?.id !== id || last.accountId !== accountId || last.kind !== kind)
      this.#last = this.#rowByKey(accountId, kind, id);
    return this.#last;
  }

  #rowByKey(accountId: string, kind: Kind, id: string): Row {
    const key = objectKey(accountId, kind, id);
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const index = this.#rows.size % BLOCK_ROWS;
    if (index === 0) {
      this.#times = new Float64Array(BLOCK_ROWS * WIDTH).fill(Number.NEGATIVE_INFINITY);
      this.#places = new Uint32Array(BLOCK_ROWS * WIDTH);
    }
    const object = freshObject(id, this.#once(accountId), kind);
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

/** An object that nothing is known of yet. */
export function freshObject(id: string, accountId: string, kind: Kind): KnownObject {
  return {
    id,
    accountId,
    kind,
    name: '',
    createdByHerald: false,
    ours: false,
    isProtected: false,
    contentDigest: null,
    hiddenDigest: null,
    listIds: null,
    media: null,
    pausedFor: null,
    pausedAtMs: null,
    supersededBy: null,
    recalled: false,
    recallRefused: false,
    rewrites: NO_REWRITES,
    createdBy: null,
    createLeftMs: null,
    createdAs: null,
  };
}

const NO_REWRITES: KnownObject['rewrites'] = [];
