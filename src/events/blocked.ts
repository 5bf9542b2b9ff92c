import { formatCommand } from '../domain/command-line.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { EventStore } from './store.ts';
import { groupBy } from '../domain/group-by.ts';
import type { HistoryItem } from '../domain/history-item.ts';
import { findInBody, findNamedId, nameEvent, readEventTime, type StoredEvent } from './event.ts';

/** The action of a chat message in the history. Events name it by its live id (EVENT-3), and its name is its chat. */
const CHAT_SEND = 'chat.send';
/** The kinds of events about blocked messages begin with this (EVENT-1). */
const VIOLATION_KIND = 'firewall.message_guard.violation';
/** The clocks of the service and of the state may differ by this. */
const CLOCKS_DIFFER_MS = 600_000;

export type EventReader = Pick<EventStore, 'read'>;

/** The history with what events say of its chat messages. It never rejects: `problem` says why not. */
export async function addEventsToHistory(
  items: readonly HistoryItem[],
  store: EventReader,
): Promise<{ readonly items: readonly HistoryItem[]; readonly problem: Diagnostic | null }> {
  const sends = items.filter(({ action, live_id: id }) => action === CHAT_SEND && id !== null);
  if (sends.length === 0) return { items, problem: null };
  const firstMs = sends.reduce((ms, { at }) => Math.min(ms, Date.parse(at)), Infinity);
  const sinceMs = firstMs - CLOCKS_DIFFER_MS;
  const { events, problem } = await readReceived(store, { sinceMs });
  const ids = new Set(sends.map(({ live_id: id }) => id ?? ''));
  const named = groupBy(events, (event) => findNamedId(event, ids));
  const explained = items.map((item) => {
    // An event that names no message is not about one without an id.
    const own = item.action === CHAT_SEND && item.live_id !== null ? (named.get(item.live_id) ?? []) : [];
    const texts = [item.message, ...own.map((event) => explainEvent(item, event))];
    const message = texts.filter((text) => text !== '').join('. ');
    return own.some(isViolation) ? { ...item, outcome: 'blocked' as const, message } : { ...item, message };
  });
  return { items: explained, problem };
}

/** How long a blocked message is named. */
const SHOWN_MS = 7 * 86_400_000;

interface DriftFacts {
  readonly nowMs: number;
  /** Those of the accounts by their ids. */
  readonly aliases: ReadonlyMap<string, string>;
  /** What Herald did since then, newest first. */
  readonly readPast: (since: string) => Promise<readonly HistoryItem[]>;
}

/** What a drift says about messages that the guard blocked after the service had accepted them. */
export async function findBlocked(
  store: EventReader,
  { nowMs, aliases, readPast }: DriftFacts,
): Promise<readonly Diagnostic[]> {
  const sinceMs = nowMs - SHOWN_MS;
  const { events, problem } = await readReceived(store, { sinceMs, kind: VIOLATION_KIND });
  const past = events.length === 0 ? [] : await readPast(new Date(sinceMs).toISOString());
  const sends = past.filter(({ action }) => action === CHAT_SEND);
  const found = explainViolations(events, sends, aliases);
  return problem === null ? found : [problem, ...found];
}

function isViolation({ kind }: StoredEvent): boolean {
  return kind?.startsWith(VIOLATION_KIND) === true;
}

async function readReceived(
  store: EventReader,
  { sinceMs, ...range }: { readonly sinceMs: number; readonly kind?: string },
): Promise<{ readonly events: readonly StoredEvent[]; readonly problem: Diagnostic | null }> {
  const events: StoredEvent[] = [];
  const take = (event: StoredEvent) => void (event.source === 'webhook' && events.push(event));
  try {
    const since = new Date(sinceMs).toISOString();
    await store.read(take, { since, ...range });
    return { events, problem: null };
  } catch (error) {
    const message = `Blocked messages may be missing, because the stored events cannot be read: ${(error as Error).message}`;
    return { events, problem: { severity: 'warning', code: 'events-not-read', message } };
  }
}

/** What tells that an event is about a message that Herald did not send. */
const NAMES_ANOTHER = ['send_id', 'sendId', 'user_id', 'userId'];

/**
 * One finding for each account. `sends` are the chat messages that Herald sent lately, newest first.
 *
 * | the event names              | it counts                                                     |
 * |------------------------------|---------------------------------------------------------------|
 * | a message of Herald          | until another message was sent to its chat                    |
 * | another message, or a person | never                                                         |
 * | only an account              | always; as a warning if Herald sent one of its messages       |
 */
function explainViolations(
  violations: readonly StoredEvent[],
  sends: readonly HistoryItem[],
  aliases: ReadonlyMap<string, string>,
): readonly Diagnostic[] {
  const done = sends.filter(({ outcome }) => outcome === 'done');
  const newest = new Map(done.toReversed().map((item) => [item.address, item]));
  const byId = new Map(done.map((item) => [item.live_id ?? '', item]));
  const counted = violations.filter((event) => {
    const item = byId.get(findNamedId(event, byId) ?? '');
    return item === undefined ? findInBody(event, NAMES_ANOTHER) === null : newest.get(item.address) === item;
  });
  return [...groupBy(counted, ({ account_id: id }) => aliases.get(id ?? ''))].flatMap(([account, events]) => {
    if (account === undefined) return [];
    const which = events.length === 1 ? 'a message' : `${events.length} messages`;
    const last = events.map(formatTime).toSorted().at(-1) ?? '';
    const history = formatCommand('history', `${account}/message/*`);
    const list = formatCommand('events', 'list', '--account', account, '--kind', 'firewall.*');
    const message = `The message guard blocked ${which} of ${account}, the last at ${last}. To see which of them Herald sent: ${history}. To see the events: ${list}`;
    const severity = sends.some((item) => item.account === account) ? 'warning' : 'info';
    return [{ severity, code: 'message-blocked', message, at: last }] as const;
  });
}

/** What happened, and what to do next. Without the last full stop. */
function explainEvent({ name, account }: HistoryItem, event: StoredEvent): string {
  const show = formatCommand('events', 'show', nameEvent(event));
  if (!isViolation(event))
    return `An event of ${formatTime(event)} names it (${event.kind ?? 'unknown'}): ${show}`;
  const send = formatCommand('chat', 'send', name, '--account', account);
  return `The message guard blocked it at ${formatTime(event)}, after the service had accepted it. The fan did not get it. To see the event: ${show}. To send another text: ${send}`;
}

function formatTime(event: StoredEvent): string {
  return new Date(readEventTime(event)).toISOString();
}
