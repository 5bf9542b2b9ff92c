import type { StoredEvent } from '../domain/event-store.ts';
import type { FanId } from '../domain/ids.ts';

/** Whether an event is about this fan: by the fact that was found, or by the id anywhere in the body. */
export function isOfFan(fanId: FanId): (event: StoredEvent) => boolean {
  const quoted = fanId.replace(/[^\w-]/g, '\\$&');
  const named = new RegExp(`"${quoted}"|"(?:[^"]*_)?(?:id|Id)"\\s*:\\s*${quoted}(?![\\w.])`);
  return ({ fan_id, encoding, body }) => fan_id === fanId || (encoding === 'utf8' && named.test(body));
}
