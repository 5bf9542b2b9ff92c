import type { Bucket } from '../domain/rate-budget.ts';

/**
 * The server's sliding second, from the answer on: the request reached it some time before its headers.
 * The millisecond more is for clocks that round.
 */
export const WINDOW_MS = 1001;

/** Requests that are answered within this still leave at the full rate: the places between their windows. */
const ROUND_TRIP_ALLOWANCE_SEC = 0.12;

/** How a bucket is kept below its rate. */
export interface BucketPlaces {
  /** So many requests may be under way or not older than the window. */
  readonly places: number;
  /** The minimum time for which a place is taken, from its grant. It enforces the share of the rate. */
  readonly holdMs: number;
}

/**
 * The places of a bucket for a share of its rate: never more than its rate. A place is held for places / rate seconds,
 * which is the share of the rate.
 */
export function placesOf({ perSecond }: Bucket, share: number): BucketPlaces {
  const rate = perSecond * share;
  const most = Math.max(perSecond, rate);
  const places = Math.min(most, Math.ceil(rate * (1 + ROUND_TRIP_ALLOWANCE_SEC)));
  return { places, holdMs: (places / rate) * 1000 };
}
