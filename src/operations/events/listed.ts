import { stringify } from 'lossless-json';
import { eventKey, type StoredEvent } from '../../domain/event-store.ts';
import type { AccountId, FanId, PlatformAccountId } from '../../domain/ids.ts';
import { groupBy } from '../../domain/group-by.ts';
import { timeOfEvent } from '../../events/event-time.ts';
import { mentions, objectsIn, textIn } from '../../events/json-values.ts';

/** Something that a list shows, and that the service sends an event of. */
export interface Listed {
  readonly kind: string;
  readonly accountId: AccountId | null;
  readonly platformAccountId: PlatformAccountId | null;
  readonly fanId: FanId | null;
  readonly atMs: number;
  /** Unique for its kind and account. */
  readonly identity: string;
  /** The id of a transaction or an upload, if the list has one. An event that names it is its event. */
  readonly id: string | null;
  /** For an upload, the status that its event tells. */
  readonly status: string | null;
  readonly amount: number | null;
  /** The row, as the service has it. */
  readonly row: object;
}

/** The event that the list stands for, as it is stored. */
export function eventOfListed(listed: Listed, nowMs: number): StoredEvent {
  const { kind, accountId, platformAccountId, fanId, atMs, identity, row } = listed;
  return {
    key: eventKey('id', `list:${kind}:${platformAccountId ?? accountId ?? ''}:${identity}`),
    schema: 'herald/event/1',
    source: 'list',
    received_at: new Date(nowMs).toISOString(),
    kind,
    id: listed.id,
    time: new Date(atMs).toISOString(),
    account_id: accountId,
    platform_account_id: platformAccountId,
    fan_id: fanId,
    encoding: 'utf8',
    body: stringify(row) ?? '{}',
  };
}

/** The event and the row may differ by this: clocks differ, and a list may show another moment. */
export const SAME_TIME_MS = 10 * 60_000;

/**
 * The rows without an event. Each event belongs to one row at most.
 *
 * | the event names                        | it is the event of the row if                             |
 * |----------------------------------------|-----------------------------------------------------------|
 * | the transaction, or upload and status  | they are the same                                         |
 * | another transaction                    | never                                                     |
 * | none                                   | fan and amount do not differ, and the times are near      |
 */
export function withoutEvents(listed: readonly Listed[], events: readonly StoredEvent[]): readonly Listed[] {
  const kinds = new Set<string | null>(listed.map(({ kind }) => kind));
  const known = groupBy(
    events.filter(({ source, kind }) => source === 'webhook' && kinds.has(kind)).map(toldOf),
    ({ event }) => event.kind ?? '',
  );
  const pairs = listed.flatMap((row) =>
    (known.get(row.kind) ?? []).flatMap((told) => {
      const distance = distanceOf(row, told);
      return distance === null ? [] : [{ row, told, distance }];
    }),
  );
  const [rows, used] = [new Set<Listed>(), new Set<ComparedEvent>()];
  for (const { row, told } of pairs.toSorted((left, right) => left.distance - right.distance)) {
    if (rows.has(row) || used.has(told)) continue;
    rows.add(row);
    used.add(told);
  }
  return listed.filter((row) => !rows.has(row));
}

/** What an event says, as far as it can be compared with a row. */
interface ComparedEvent {
  readonly event: StoredEvent;
  readonly atMs: number;
  readonly amount: number | null;
  readonly transaction: string | null;
  readonly status: string | null;
}

const AMOUNTS = ['amount', 'amount_gross', 'price_gross', 'price', 'sum'];
const TRANSACTIONS = ['transaction_id', 'transactionId'];

function toldOf(event: StoredEvent): ComparedEvent {
  const objects = event.encoding === 'utf8' ? objectsIn(event.body) : [];
  const transaction = textIn(objects, TRANSACTIONS);
  const amount = Number(textIn(objects, AMOUNTS) ?? Number.NaN);
  return {
    event,
    atMs: timeOfEvent(event),
    amount: Number.isNaN(amount) ? null : amount,
    transaction,
    status: textIn(objects, ['status']),
  };
}

/** 0 if the event certainly tells of the row, above 0 if it may, and null if it does not. */
function distanceOf(row: Listed, told: ComparedEvent): number | null {
  const { event } = told;
  if (event.kind !== row.kind || !isSameAccount(row, event)) return null;
  if (row.status !== null)
    return row.id !== null && row.status === told.status && mentions(event.body, row.id) ? 0 : null;
  if (row.id !== null && told.transaction !== null) return row.id === told.transaction ? 0 : null;
  if (row.id !== null && mentions(event.body, row.id)) return 0;
  if (row.fanId !== null && event.fan_id !== null && row.fanId !== event.fan_id) return null;
  if (row.amount !== null && told.amount !== null && Math.abs(row.amount - told.amount) >= 0.005) return null;
  const apart = Math.abs(row.atMs - told.atMs);
  return apart <= SAME_TIME_MS ? 1 + apart : null;
}

function isSameAccount(row: Listed, { account_id, platform_account_id }: StoredEvent): boolean {
  if (row.accountId !== null && account_id !== null) return row.accountId === account_id;
  if (row.platformAccountId !== null && platform_account_id !== null)
    return row.platformAccountId === platform_account_id;
  return account_id === null && platform_account_id === null;
}
