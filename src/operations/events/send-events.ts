import { formatCommand } from '../../domain/command-line.ts';
import { EVENTS_BEGIN, type EventStore, type StoredEvent } from '../../domain/event-store.ts';
import { groupBy } from '../../domain/group-by.ts';
import { timeOfEvent } from '../../events/event-time.ts';
import { withoutRepeated } from '../../events/listed.ts';
import { eventRef } from '../../events/ref.ts';
import { VIOLATION_KIND } from '../../events/violations.ts';
import type { HistoryItem } from '../../domain/history-item.ts';
import { CHAT_SEND, CLOCKS_DIFFER_MS } from './blocked.ts';

/**
 * The history with the events that name the request of a chat message, whatever their kind: the document does not say which
 * kind it is (EVENT-3). Events about blocked messages are in the history already. A store that cannot be read changes
 * nothing here.
 */
export async function withSendEvents(
  items: readonly HistoryItem[],
  store: Pick<EventStore, 'read'>,
): Promise<readonly HistoryItem[]> {
  const sends = items.filter(({ action, live_id: id }) => action === CHAT_SEND && id !== null);
  const ids = new Set(sends.map(({ live_id: id }) => id));
  const firstMs = Math.min(...sends.map(({ at }) => Date.parse(at)));
  if (!Number.isFinite(firstMs)) return items;
  const found: { readonly id: string; readonly event: StoredEvent }[] = [];
  const take = (event: StoredEvent) => {
    if (event.source !== 'webhook' || event.kind?.startsWith(VIOLATION_KIND) === true) return;
    const id = event.body.match(/[\w-]+/g)?.find((word) => ids.has(word));
    if (id !== undefined) found.push({ id, event });
  };
  try {
    await store.read(EVENTS_BEGIN, take, { since: new Date(firstMs - CLOCKS_DIFFER_MS).toISOString() });
  } catch {
    return items;
  }
  const once = new Set(withoutRepeated(found.map(({ event }) => event)));
  const named = groupBy(
    found.filter(({ event }) => once.has(event)),
    ({ id }) => id,
  );
  return items.map((item) => {
    const own = item.action === CHAT_SEND ? named.get(item.live_id ?? '') : undefined;
    if (own === undefined) return item;
    const message = [item.message, ...own.map(({ event }) => describeEvent(event))].filter(
      (text) => text !== '',
    );
    return { ...item, message: message.join('. ') };
  });
}

function describeEvent(event: StoredEvent): string {
  const at = new Date(timeOfEvent(event)).toISOString();
  return `Event ${event.kind ?? 'of an unknown kind'} at ${at}: ${formatCommand('events', 'show', eventRef(event))}`;
}
