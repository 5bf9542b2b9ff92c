import { EVENTS_BEGIN, type EventStore, type StoredEvent } from '../../src/domain/event-store.ts';
import { receivedEvent } from '../../src/events/received.ts';

const NOON = Date.UTC(2026, 5, 1, 12);

/** An event as the receiver would store it. A body without an id is known by its content. */
export function anEvent(body: object, atMs: number = NOON): StoredEvent {
  return receivedEvent(Buffer.from(JSON.stringify(body)), atMs);
}

/** Everything that a store has, in the order of storing. */
export async function eventsIn(store: EventStore, from = EVENTS_BEGIN): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  await store.read(from, (event) => void found.push(event));
  return found;
}

/** Adds events in one call, and tells which were new. */
export async function addAll(
  store: EventStore,
  ...events: readonly StoredEvent[]
): Promise<readonly boolean[]> {
  const writer = await store.openToAdd();
  const areNew = await writer.add(events);
  await writer.close();
  return areNew;
}
