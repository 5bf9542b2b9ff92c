import { stringify } from 'lossless-json';
import type { Client } from '../api/client.ts';
import { readWhole } from '../api/pages.ts';
import type { EventStore } from './store.ts';
import type { PlatformAccount } from '../live/accounts.ts';
import { findNamedId, readEventTime, type StoredEvent } from './event.ts';

interface ReconcileOptions {
  readonly accounts: readonly PlatformAccount[];
  /** The platform that has subscriptions. */
  readonly primary: string;
  readonly sinceMs: number;
  readonly nowMs: number;
}

/** The event and the row may differ by this: clocks differ, and a list may show another moment. */
const SAME_TIME_MS = 10 * 60_000;
/** An event needs some time to arrive, so what happened just now is left to the next comparison. */
const ARRIVES_WITHIN_MS = 2 * 60_000;

/** Assumed: the words for types of transactions (EVENT-1). Other types have no event. */
const KINDS_BY_TYPE: ReadonlyMap<string, string> = new Map([
  ['tip', 'fans.tip.received'],
  ['message', 'fans.ppv.purchased'],
  ['post', 'fans.ppv.purchased'],
]);
/** Assumed: a renewal is not a new subscriber (EVENT-1). */
const NOT_NEW = /renew/i;

/** Stores and returns what lists show and no event told. Rejects and stores nothing if one is unreadable. */
export async function reconcileEvents(
  client: Client,
  store: Pick<EventStore, 'add' | 'read'>,
  options: ReconcileOptions,
): Promise<readonly StoredEvent[]> {
  const listed: StoredEvent[] = [];
  for (const account of options.accounts)
    for (const event of await listPayments(client, account, options)) listed.push(event);
  const received: StoredEvent[] = [];
  const take = (event: StoredEvent) => void (event.source === 'webhook' && received.push(event));
  const since = new Date(options.sinceMs - SAME_TIME_MS).toISOString();
  await store.read(take, { since, kind: 'fans.' });
  const added: StoredEvent[] = [];
  for (const event of findMissing(listed, received)) if (await store.add(event)) added.push(event);
  return added;
}

async function listPayments(
  client: Client,
  { accountId: account_id, platform, platformAccountId: platform_account_id }: PlatformAccount,
  { primary, sinceMs, nowMs }: ReconcileOptions,
): Promise<readonly StoredEvent[]> {
  const endMs = nowMs - ARRIVES_WITHIN_MS;
  const query = { start: new Date(sinceMs).toISOString(), end: new Date(endMs).toISOString() };
  const input = { params: { platform, platform_account_id }, query };
  const found: StoredEvent[] = [];
  // The service refuses a range that ends before it begins.
  if (sinceMs >= endMs) return found;
  const add = (kind: string | undefined, id: string | null, time: string, row: { fan?: unknown }) => {
    if (kind === undefined || Number.isNaN(Date.parse(time))) return;
    const { fan } = row;
    const fan_id = typeof fan === 'object' && fan !== null && 'id' in fan ? String(fan.id) : null;
    found.push({
      key: `list:${kind}:${platform_account_id}:${id ?? `${fan_id ?? ''}:${time}`}`,
      schema: 'herald/event/1',
      source: 'list',
      received_at: new Date(nowMs).toISOString(),
      kind,
      id,
      time: new Date(time).toISOString(),
      account_id,
      platform_account_id,
      fan_id,
      encoding: 'utf8',
      body: stringify(row) ?? '{}',
    });
  };
  for (const row of await readWhole(client, 'revenue.transactions', input))
    add(KINDS_BY_TYPE.get(String(row.type)), row.id, String(row.timestamp), row);
  if (platform !== primary) return found;
  for (const row of await readWhole(client, 'traffic.subscriptions', input))
    if (!NOT_NEW.test(String(row.action)))
      add('fans.subscription.new_subscriber', null, String(row.subscribed_at), row);
  return found;
}

/** What lists show without an event. Each event stands for one row: the one that it names, or else one near to it in time. */
function findMissing(
  listed: readonly StoredEvent[],
  received: readonly StoredEvent[],
): readonly StoredEvent[] {
  const ids = new Set(listed.flatMap(({ id }) => (id !== null && id.length >= 8 ? [id] : [])));
  const named = new Map(received.map((event) => [event, findNamedId(event, ids)]));
  const isOf = (row: StoredEvent, event: StoredEvent) => {
    const id = named.get(event) ?? null;
    const isNear = Math.abs(readEventTime(row) - readEventTime(event)) <= SAME_TIME_MS;
    return row.kind === event.kind && (id === null ? isNear && !differs(row, event) : id === row.id);
  };
  const byTime = (left: StoredEvent, right: StoredEvent) => readEventTime(left) - readEventTime(right);
  const free = received.toSorted(byTime);
  return listed.toSorted(byTime).filter((row) => {
    const at = free.findIndex((event) => isOf(row, event));
    if (at >= 0) free.splice(at, 1);
    return at < 0;
  });
}

const SAME_IN_BOTH = ['account_id', 'platform_account_id', 'fan_id'] as const;

function differs(row: StoredEvent, event: StoredEvent): boolean {
  return SAME_IN_BOTH.some((name) => row[name] !== null && event[name] !== null && row[name] !== event[name]);
}
