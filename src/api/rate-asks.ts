import type { Bucket } from '../domain/rate-budget.ts';
import type { SharedBucket } from '../domain/rate-store.ts';
import { placesOf } from './bucket-places.ts';
import type { RequestQueues } from './request-queues.ts';

/** A grant that this process has. Its request may leave between these monotonic times. */
export interface Ticket {
  readonly number: number;
  readonly startsMs: number;
  readonly usableUntilMs: number;
}

/** A queue with requests that have no ticket yet. */
export interface Asked {
  readonly queueKey: string;
  readonly buckets: readonly SharedBucket[];
  readonly waiting: number;
  /** The places in the order of asking, of those that are asked for. */
  readonly orders: readonly number[];
  readonly count: number;
}

interface AskingProcess {
  readonly share: number;
  readonly tokenScope: string;
  readonly now: number;
}

/** Queues of one message. More of them cannot get a place within a second. */
const QUEUES_MAX = 40;

/** For limits that do not belong to a token. */
const EVERY_TOKEN = 'every token';

/** What the limit of a bucket is for. */
export function scopeOf({ acrossTokens }: Bucket, tokenScope: string): string {
  return acrossTokens === true ? EVERY_TOKEN : tokenScope;
}

/** The queues to ask for. Those that are due come first. */
export function queuesOf(
  queues: RequestQueues<readonly Bucket[]>,
  tickets: ReadonlyMap<string, readonly Ticket[]>,
  nextAskMs: ReadonlyMap<string, number>,
  { share, tokenScope, now }: AskingProcess,
): Asked[] {
  const lacking = [...queues.heads()].filter(
    ({ queueKey }) => queues.length(queueKey) > (tickets.get(queueKey)?.length ?? 0),
  );
  const isDue = ({ queueKey }: { readonly queueKey: string }) => (nextAskMs.get(queueKey) ?? now) <= now;
  return lacking
    .toSorted((left, right) => Number(isDue(right)) - Number(isDue(left)) || left.order - right.order)
    .slice(0, QUEUES_MAX)
    .map(({ queueKey, facts }) => {
      const held = tickets.get(queueKey)?.length ?? 0;
      const buckets = facts.map((bucket) => sharedBucket(bucket, share, tokenScope));
      const most = Math.min(...buckets.map(({ places }) => places));
      const orders = queues.first(queueKey, held + most).slice(held);
      return { queueKey, buckets, waiting: queues.length(queueKey) - held, orders, count: orders.length };
    });
}

function sharedBucket(bucket: Bucket, share: number, tokenScope: string): SharedBucket {
  const { places, holdMs } = placesOf(bucket, share);
  return { scope: scopeOf(bucket, tokenScope), bucket: bucket.key, places, hold_ms: holdMs };
}
