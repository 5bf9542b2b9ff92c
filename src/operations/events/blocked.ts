import { isAboutSend, type Violation } from '../../events/violations.ts';
import { eventRef } from '../../events/ref.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { HistoryItem } from '../../domain/history-item.ts';

/** The action of a chat message in the history. Its name is the id of the chat. */
export const CHAT_SEND = 'chat.send';

/** Assumed: the guard decides within this time after a message was accepted (CHAT-4). */
const DECIDES_WITHIN_MS = 3_600_000;
/** The clocks of the event and of the state may differ by this. */
export const CLOCKS_DIFFER_MS = 600_000;

/** What events say about one thing that Herald sent or created. */
export interface Blocked {
  readonly item: HistoryItem;
  /** Oldest first. */
  readonly violations: readonly [Violation, ...Violation[]];
  /** False if the events do not name it, and it only may be meant. */
  readonly isCertain: boolean;
}

/** What was blocked, and the events that fit nothing of Herald. */
export interface Matched {
  readonly blocked: ReadonlyMap<HistoryItem, Blocked>;
  readonly others: readonly Violation[];
}

/**
 * What was blocked of what Herald did.
 *
 * | the event names                      | it is about                                                   |
 * |--------------------------------------|---------------------------------------------------------------|
 * | the request of a chat message        | that message                                                  |
 * | a campaign or broadcast of Herald    | that one: one of its messages was blocked                     |
 * | another request, or another campaign | nothing of Herald                                             |
 * | the person who wrote the message     | nothing of Herald                                             |
 * | a chat, or only an account           | perhaps the messages that Herald sent there shortly before it |
 */
export function blockedIn(items: readonly HistoryItem[], violations: readonly Violation[]): Matched {
  const found = new Map<HistoryItem, { isCertain: boolean; violations: Violation[] }>();
  const others: Violation[] = [];
  const sends = groupBy(items.filter(isSend), ({ account_id: id }) => id);
  const creates = groupBy(
    items.filter(({ action, live_id: id }) => action === 'create' && id !== null),
    ({ live_id: id }) => id ?? '',
  );
  for (const violation of violations) {
    const near = sendsNear(violation, sends);
    const named = [...near, ...(creates.get(violation.liveId ?? '') ?? [])].filter((item) =>
      isNamed(item, violation),
    );
    const isBare = violation.sendId === null && violation.liveId === null && !violation.isByPerson;
    const meant = named.length > 0 || !isBare ? named : near.filter((item) => mayBeMeant(item, violation));
    if (meant.length === 0) others.push(violation);
    for (const item of meant) {
      const before = found.get(item);
      const isCertain = named.length > 0;
      // What is certain outweighs what may be.
      if (before === undefined || (isCertain && !before.isCertain))
        found.set(item, { isCertain, violations: [violation] });
      else if (before.isCertain === isCertain) before.violations.push(violation);
    }
  }
  const blocked = new Map<HistoryItem, Blocked>();
  for (const [item, { isCertain, violations: own }] of found) {
    const [first, ...more] = own.toSorted((left, right) => left.atMs - right.atMs);
    if (first !== undefined) blocked.set(item, { item, isCertain, violations: [first, ...more] });
  }
  return { blocked, others };
}

function isSend({ action, outcome }: HistoryItem): boolean {
  return action === CHAT_SEND && (outcome === 'done' || outcome === 'unknown');
}

/** The messages that were sent shortly before, on the account of the event. */
function sendsNear(
  { accountId, atMs }: Violation,
  sends: ReadonlyMap<string, readonly HistoryItem[]>,
): readonly HistoryItem[] {
  const own = accountId === null ? [...sends.values()].flat() : (sends.get(accountId) ?? []);
  return own.filter(({ at }) => {
    const afterMs = atMs - Date.parse(at);
    return afterMs >= -CLOCKS_DIFFER_MS && afterMs <= DECIDES_WITHIN_MS;
  });
}

function isNamed({ action, account_id: account, live_id: id }: HistoryItem, violation: Violation): boolean {
  if (id === null || (violation.accountId !== null && violation.accountId !== account)) return false;
  return action === CHAT_SEND ? isAboutSend(violation, id) : id === violation.liveId;
}

function mayBeMeant({ name }: HistoryItem, { chatId, accountId }: Violation): boolean {
  return chatId === null ? accountId !== null : name === chatId;
}

/** The history with what the guard blocked. What it blocked for certain has the outcome `blocked`. */
export function withBlocked(
  items: readonly HistoryItem[],
  violations: readonly Violation[],
): readonly HistoryItem[] {
  if (violations.length === 0) return items;
  const { blocked } = blockedIn(items, violations);
  return items.map((item) => {
    const found = blocked.get(item);
    if (found === undefined) return item;
    const words = blockedWords(found);
    const message = item.message === '' ? words : `${words}. ${item.message}`;
    const isMessage = item.action === CHAT_SEND && found.isCertain;
    return isMessage ? { ...item, outcome: 'blocked', message } : { ...item, message };
  });
}

/** What happened, and what to do next. Without the last full stop. */
export function blockedWords({ item, violations, isCertain }: Blocked): string {
  const [first] = violations;
  const at = new Date(first.atMs).toISOString();
  const event = formatCommand('events', 'show', eventRef(first.event));
  if (item.action !== CHAT_SEND) {
    const which =
      violations.length === 1 ? 'a message of it at' : `${violations.length} messages of it, the first at`;
    // The state does not tell if a broadcast was a draft.
    const again =
      item.kind === 'broadcast'
        ? `${formatCommand('apply')} (a draft: ${formatCommand('broadcasts', 'send')})`
        : formatCommand('apply');
    return `The message guard blocked ${which} ${at}. To see the event: ${event}. Change the text in the file, then run ${again}`;
  }
  const command = (verb: string) => formatCommand('chat', verb, item.name, '--account', item.account);
  return isCertain
    ? `The message guard blocked it at ${at}, after the service had accepted it. The fan did not get it. To see the event: ${event}. To send another text: ${command('send')}`
    : `The message guard blocked a message at ${at}, perhaps this one: the event does not say which. To see the event: ${event}. To see the chat: ${command('messages')}`;
}
