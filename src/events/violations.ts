import type { StoredEvent } from '../domain/event-store.ts';
import type { AccountId, LiveId } from '../domain/ids.ts';
import { timeOfEvent } from './event-time.ts';
import { mentions, objectsIn, textIn } from './json-values.ts';

/** The kinds of events about blocked messages begin with this (EVENT-1). */
export const VIOLATION_KIND = 'firewall.message_guard.violation';

/** A message that the guard of the organisation blocked after the service had accepted it (CHAT-4). */
export interface Violation {
  readonly event: StoredEvent;
  readonly atMs: number;
  readonly accountId: AccountId | null;
  /** Null if the event does not say which request it is about (EVENT-3). */
  readonly sendId: string | null;
  readonly chatId: string | null;
  /** Of the campaign or broadcast, if the event names one. */
  readonly liveId: LiveId | null;
  /** A person wrote the message on the service. */
  readonly isByPerson: boolean;
}

const SEND_NAMES = ['send_id', 'sendId'];
const CHAT_NAMES = ['chat_id', 'chatId'];
const USER_NAMES = ['user_id', 'userId'];
/** Assumed: an event about a campaign or a broadcast names it like this (EVENT-1). */
const LIVE_NAMES = [
  'campaign_id',
  'auto_message_id',
  'auto_messages_campaign_id',
  'broadcast_id',
  'priority_mass_message_id',
];

/** What an event says about a blocked message; null for events of other kinds. */
export function violationOf(event: StoredEvent): Violation | null {
  if (event.source !== 'webhook' || event.kind?.startsWith(VIOLATION_KIND) !== true) return null;
  const objects = event.encoding === 'utf8' ? objectsIn(event.body) : [];
  return {
    event,
    atMs: timeOfEvent(event),
    accountId: event.account_id,
    sendId: textIn(objects, SEND_NAMES),
    // Assumed: a chat has the id of its fan (CHAT-13).
    chatId: textIn(objects, CHAT_NAMES) ?? event.fan_id,
    liveId: textIn(objects, LIVE_NAMES),
    isByPerson: event.kind === `${VIOLATION_KIND}.user` || textIn(objects, USER_NAMES) !== null,
  };
}

/** Whether the event names this request. */
export function isAboutSend({ sendId, event }: Violation, id: string): boolean {
  return sendId === id || (sendId === null && mentions(event.body, id));
}
