import type * as z from 'zod';
import type { storedEventShape } from './stored-event.ts';

export interface StoredEvent extends z.infer<typeof storedEventShape> {}

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
  /** Resolves once the event is durable, with false if it was there already. Rejects if it is not stored. */
  add(event: StoredEvent): Promise<boolean>;
  /** Rejects if no event can be stored now. */
  check(): Promise<void>;
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
