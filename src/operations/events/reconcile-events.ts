import type { Client } from '../../api/client.ts';
import {
  EVENTS_BEGIN,
  type EventPosition,
  type EventStore,
  type StoredEvent,
} from '../../domain/event-store.ts';
import { createNote, RECONCILED } from '../../events/notes.ts';
import { holesOf, type Hole } from './holes.ts';
import { eventOfListed, SAME_TIME_MS, withoutEvents } from './listed.ts';
import { listedEvents, type EventAccount } from './listed-events.ts';

export interface EventReconcilePorts {
  readonly client: Client;
  readonly store: Pick<EventStore, 'end' | 'read' | 'erase'>;
  /** Stores an event that was found. */
  readonly add: (event: StoredEvent) => Promise<unknown>;
  readonly nowMs: number;
  /** Names the process, so that its notes have keys of their own. */
  readonly run: string;
}

/** What a reconciliation found. */
export interface EventReconciliation {
  readonly from: string;
  readonly to: string;
  readonly added: readonly StoredEvent[];
  /** Where events that no list shows may have been lost. */
  readonly holes: readonly Hole[];
  /** Where the next one begins. */
  readonly nextMs: number;
  /** What is stored before this position was received before `to`. */
  readonly position: EventPosition;
}

/** Lists show some rows late, so each range is read again for a while. */
const OVERLAP_MS = 15 * 60_000;

/**
 * Compares lists with stored events, and stores what did not come. An event that comes late after all replaces the one that
 * was made of the list. It begins where the last comparison ended, with an overlap, or at the first event. Rejects if a list cannot be read; then nothing is stored.
 */
export async function reconcileEvents(
  { client, store, add, nowMs, run }: EventReconcilePorts,
  accounts: readonly EventAccount[],
  sinceMs: number | null,
  /** Events before it were received earlier than the range, and are not read. */
  after: EventPosition = EVENTS_BEGIN,
): Promise<EventReconciliation> {
  const marked = await store.end();
  const fromMs = sinceMs ?? (await beginOf(store, nowMs)) ?? nowMs - OVERLAP_MS;
  const range = { fromMs: Math.min(fromMs, nowMs), toMs: nowMs };
  // The clock of the service may be ahead.
  const listedRange = { fromMs: range.fromMs, toMs: nowMs + SAME_TIME_MS };
  const near: StoredEvent[] = [];
  /** Events from lists, by their keys. */
  const known = new Map<string, EventPosition>();
  const take = (event: StoredEvent, position: EventPosition) => {
    near.push(event);
    if (event.source === 'list') known.set(event.key, position);
  };
  const since = new Date(range.fromMs - SAME_TIME_MS).toISOString();
  const position = await store.read(after, take, { since });
  const lists = [];
  for (const account of accounts) lists.push(...(await listedEvents(client, account, listedRange)));
  // Events that were stored while the lists were read.
  await store.read(position, take);
  const missing = withoutEvents(lists, near);
  const found = lists.map((row) => ({ row, event: eventOfListed(row, nowMs) }));
  const isMissing = new Set(missing);
  const news = found.filter(({ row, event }) => isMissing.has(row) && !known.has(event.key));
  const added = news.map(({ event }) => event);
  const late = found.flatMap(({ row, event }) => (isMissing.has(row) ? [] : (known.get(event.key) ?? [])));
  const holes = holesOf(
    near,
    news.map(({ row }) => row),
    range,
  );
  const [from, to] = [new Date(range.fromMs).toISOString(), new Date(nowMs).toISOString()];
  const note = createNote(RECONCILED, run, nowMs, { from, to, added: added.length, holes });
  await Promise.all([...added, note].map(add));
  await store.erase(late);
  return { from, to, added, holes, nextMs: nowMs - OVERLAP_MS, position: marked };
}

/** A receiver that runs compares several times an hour. */
const LIKELY_WITHIN_MS = 86_400_000;

/**
 * Where the next range begins: where the last comparison ended, or at the first event. Null if nothing is stored. Only a
 * workspace that was never compared is read as a whole.
 */
async function beginOf(store: EventReconcilePorts['store'], nowMs: number): Promise<number | null> {
  const likely = new Date(nowMs - LIKELY_WITHIN_MS).toISOString();
  for (const since of [{ since: likely }, {}]) {
    let last: number | null = null;
    const take = ({ received_at, source }: StoredEvent) => {
      if (source !== 'herald') return;
      last = Math.max(last ?? 0, Date.parse(received_at) - OVERLAP_MS);
    };
    await store.read(EVENTS_BEGIN, take, { ...since, kind: RECONCILED });
    if (last !== null) return last;
  }
  let first: number | null = null;
  await store.read(EVENTS_BEGIN, ({ received_at }) => {
    first = Math.min(first ?? Number.POSITIVE_INFINITY, Date.parse(received_at));
  });
  return first;
}

/** How far the store was at earlier comparisons, so that a later one reads only what it needs. */
export class ReadMarks {
  #marks: { readonly atMs: number; readonly position: EventPosition }[] = [];

  add({ to, position }: EventReconciliation): void {
    this.#marks.push({ atMs: Date.parse(to), position });
  }

  /** The position to read on from for a range that begins there. Forgets the marks before it. */
  before(fromMs: number | null): EventPosition {
    const neededMs = (fromMs ?? Number.NEGATIVE_INFINITY) - SAME_TIME_MS;
    const index = this.#marks.findLastIndex(({ atMs }) => atMs <= neededMs);
    if (index > 0) this.#marks = this.#marks.slice(index);
    return index === -1 ? EVENTS_BEGIN : (this.#marks[0]?.position ?? EVENTS_BEGIN);
  }
}
