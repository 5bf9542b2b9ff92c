import { systemClock } from '../../src/host/clock.ts';
import { EventStore } from '../../src/events/store.ts';
import { createEvent, type StoredEvent } from '../../src/events/event.ts';
import type { StateLocation } from '../../src/state/state.ts';
import { NOON } from './flow-clock.ts';

/** The events of a state, as one process has them. */
export function eventStoreAt(location: StateLocation): EventStore {
  const directory = location.kind === 'sqlite' ? location.directory : '/nowhere';
  return new EventStore({ location: () => Promise.resolve(location), directory, clock: systemClock });
}

/** An event as the receiver would store it. A body without an id is known by its content. */
export function anEvent(body: object, atMs: number = NOON): StoredEvent {
  return createEvent(Buffer.from(JSON.stringify(body)), atMs);
}

/** Everything that a store has, in the order of storing. */
export async function eventsIn(store: EventStore): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  await store.read((event) => void found.push(event));
  return found;
}

/** Adds events one after another, and tells which were new. */
export async function addAll(
  store: EventStore,
  ...events: readonly StoredEvent[]
): Promise<readonly boolean[]> {
  const areNew: boolean[] = [];
  for (const event of events) areNew.push(await store.add(event));
  return areNew;
}
