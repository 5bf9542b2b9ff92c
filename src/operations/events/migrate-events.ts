import { EVENTS_BEGIN, isTimedKey, type EventStore, type StoredEvent } from '../../domain/event-store.ts';
import { digest } from '../../domain/digest.ts';
import { StateError } from '../../domain/state-error.ts';

/** About how many events are in memory at once. */
const ENOUGH = 5_000;
/** Events of one write. */
const BATCH = 100;

/** Events that were moved. */
export interface EventMigration {
  readonly moved: number;
  /** Those that stay in the old place, because the new one has an event with the same content and no id. */
  readonly left: number;
}

/**
 * Moves the events of one store to another. Nothing is removed before everything is in the new place, and what a receiver
 * adds to the old place meanwhile stays there. So it can be repeated.
 */
export async function migrateEvents(from: EventStore, to: EventStore): Promise<EventMigration> {
  const there = new Set<string>();
  let total = 0;
  const writer = await to.openToAdd();
  try {
    for (let position = EVENTS_BEGIN; ;) {
      const events: StoredEvent[] = [];
      const read = await from.read(position, (event) => void events.push(event), { enough: ENOUGH });
      if (read.damaged > 0) throw damagedIn(from, read.damaged);
      if (events.length === 0) break;
      position = read.position;
      total += events.length;
      for (let first = 0; first < events.length; first += BATCH) {
        const batch = events.slice(first, first + BATCH);
        const areNew = await writer.add(batch);
        for (const [index, event] of batch.entries())
          if (areNew[index] === true || !isTimedKey(event.key)) there.add(identityOf(event));
      }
    }
  } finally {
    await writer.close();
  }
  if (there.size > 0) await from.erase((event) => there.has(identityOf(event)));
  return { moved: there.size, left: total - there.size };
}

function identityOf({ key, received_at }: StoredEvent): string {
  return digest([key, received_at]);
}

function damagedIn({ name }: EventStore, damaged: number): StateError {
  return new StateError(
    'state-failed',
    `The ledger was moved. ${damaged} events in ${name} cannot be read, so no event was removed there.`,
    'Repair or remove these lines, then run the command again.',
  );
}
