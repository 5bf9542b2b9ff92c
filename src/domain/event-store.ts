import type * as z from 'zod';
import type { storedEventShape } from './stored-event.ts';

export interface StoredEvent extends z.infer<typeof storedEventShape> {}

/** An event without an id is known by its content, for this long. */
export const SAME_CONTENT_MS = 10 * 60_000;

/** Text that a database can hold: without null characters and halves of characters. */
const STORABLE = /^[^\0\p{Cs}]*/u;

/** The key of an event that has an id, or its digest. */
export function eventKey(by: 'id' | 'digest', value: string): string {
  return `${by}:${storablePart(value) === value ? value : JSON.stringify(value)}`;
}

/** The text up to the first character that a database cannot hold. */
export function storablePart(text: string): string {
  return STORABLE.exec(text)?.[0] ?? '';
}

/** Whether the key holds for `SAME_CONTENT_MS` only. */
export function isTimedKey(key: string): boolean {
  return key.startsWith('digest:');
}

/** The number of an event in the order of storing. A reading goes on after it. */
export type EventPosition = number;

/** The position before the first event. */
export const EVENTS_BEGIN: EventPosition = 0;

/** Selects events before they are parsed, because most readers need few of many. */
export interface EventFilter {
  /** Received at this instant or later (ISO 8601, UTC). */
  readonly since?: string;
  /** How the kind begins. */
  readonly kind?: string;
}

/** Where the events of a workspace are kept. Events are added and never changed. */
export interface EventStore {
  openToAdd(): Promise<EventWriter>;
  /**
   * Gives what was stored after the position, in the order of storing. Resolves with the position to go on from, which is after
   * all events that were there at its begin.
   */
  read(
    from: EventPosition,
    take: (event: StoredEvent, position: EventPosition) => void,
    filter?: EventFilter,
  ): Promise<EventPosition>;
  /** The position after everything that is stored. Reads no events. */
  end(): Promise<EventPosition>;
  /** Removes what was received before this instant (ISO 8601, UTC). */
  dropBefore(instant: string): Promise<void>;
  /** Removes the events at these positions. Resolves with the number. */
  erase(positions: readonly EventPosition[]): Promise<number>;
}

export interface EventWriter {
  /** What went wrong with the last write; null if it went well. */
  readonly problem: unknown;
  /** Resolves once the event is durable, with false if it was there already. Rejects if it is not stored. */
  add(event: StoredEvent): Promise<boolean>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}
