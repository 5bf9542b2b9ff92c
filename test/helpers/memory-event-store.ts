import {
  isSelected,
  isTimedKey,
  SAME_CONTENT_MS,
  type EventStore,
  type StoredEvent,
} from '../../src/domain/event-store.ts';

/** Events in memory. */
export function memoryEventStore(): EventStore {
  let rows: { readonly place: number; readonly event: StoredEvent }[] = [];
  let last = 0;
  const drop = async (isGone: (event: StoredEvent) => boolean) => {
    const kept = rows.filter(({ event }) => !isGone(event));
    const gone = rows.length - kept.length;
    rows = kept;
    return gone;
  };
  const isKnown = ({ key, received_at: at }: StoredEvent) =>
    rows.some(
      ({ event }) =>
        event.key === key &&
        (!isTimedKey(key) || Date.parse(at) - Date.parse(event.received_at) < SAME_CONTENT_MS),
    );
  return {
    name: 'memory',
    openToAdd: async () => ({
      add: async (events) =>
        events.map((event) => {
          if (isKnown(event)) return false;
          last += 1;
          rows.push({ place: last, event });
          return true;
        }),
      close: () => Promise.resolve(),
    }),
    read: async (from, take, filter = {}) => {
      for (const { place, event } of rows) if (place > Number(from) && isSelected(event, filter)) take(event);
      return { position: String(last), damaged: 0 };
    },
    end: async () => String(last),
    dropBefore: (instant) => drop(({ received_at: at }) => at < instant),
    erase: drop,
  };
}
