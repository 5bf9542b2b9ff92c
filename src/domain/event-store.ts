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

/** Whether the filter selects an event. */
export function isSelected({ received_at, kind }: StoredEvent, filter: EventFilter): boolean {
  if (filter.since !== undefined && received_at < filter.since) return false;
  return filter.kind === undefined || kind?.startsWith(filter.kind) === true;
}

/** How far a reading has come. Only the store that gave it understands it. */
export type EventPosition = string;

/** The position before the first event. */
export const EVENTS_BEGIN: EventPosition = '';

export interface EventReading {
  readonly position: EventPosition;
  /** The number of lines that cannot be read. */
  readonly damaged: number;
}

/** Selects events before they are parsed, because most readers need few of many. */
export interface EventFilter {
  /** Received at this instant or later (ISO 8601, UTC). */
  readonly since?: string;
  /** How the kind begins. */
  readonly kind?: string;
  /** Ends some time after so many events. The position says where to go on, until no event comes. */
  readonly enough?: number;
}

/** Where the events of a workspace are kept. Events are added and never changed. */
export interface EventStore {
  /** For messages, such as `.herald/events`. */
  readonly name: string;
  openToAdd(): Promise<EventWriter>;
  /** Gives what was stored after the position, in the order of storing. */
  read(from: EventPosition, take: (event: StoredEvent) => void, filter?: EventFilter): Promise<EventReading>;
  /** The position after everything that is stored. Reads no events. */
  end(): Promise<EventPosition>;
  /** Removes what was received before this instant (ISO 8601, UTC). Resolves with the number. */
  dropBefore(instant: string): Promise<number>;
  /** Removes some events. Others that are added meanwhile stay. Resolves with the number. */
  erase(isErased: (event: StoredEvent) => boolean): Promise<number>;
}

export interface EventWriter {
  /**
   * Adds events. They are durable once this resolves. Tells of each whether it is new. Call it again only after it has
   * ended.
   */
  add(events: readonly StoredEvent[]): Promise<readonly boolean[]>;
  close(): Promise<void>;
}
