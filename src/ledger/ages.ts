import type { Clock } from '../domain/ports.ts';
import { knownInstant } from './instant-text.ts';
import type { Counterpart } from './origins.ts';

/** When a request left: by the clock of the machine that sent it, and where the service's stood then. */
export interface Left {
  /** Epoch milliseconds. */
  readonly sentAtMs: number;
  /** The service's clock minus that machine's, as it was known then; null where it was not. */
  readonly skewMs: number | null;
}

/** What this process knows of the time. */
export interface Now {
  readonly nowMs: number;
  /** The service's clock minus this machine's; null while it is not known. */
  readonly skewMs: number | null;
}

/** A `Date` header tells whole seconds: two estimates that are no further apart are of one clock. */
const SAME_CLOCK_MS = 2_000;

/**
 * Assumed: a difference that nobody wrote down is less than this. Wrong time zones err by hours, and a clock that lost
 * its battery gets no answers over TLS.
 */
export const UNKNOWN_SKEW_MS = 86_400_000;

/**
 * How old a request is at least, whatever machines' clocks say. `seenForMs` is how long this process has known of it.
 *
 * | its skew | ours    | it is at least as old as                                              |
 * |----------|---------|-----------------------------------------------------------------------|
 * | known    | known   | the service's clock says, and as this process has known of it         |
 * | unknown  | known   | this process has known of it; but what both clocks call a day old is |
 * | any      | unknown | this process has known of it                                          |
 */
export function ageMs(left: Left, { nowMs, skewMs }: Now, seenForMs: number): number {
  if (skewMs === null) return seenForMs;
  if (left.skewMs !== null) return Math.max(nowMs - onClock(left.sentAtMs, left.skewMs, skewMs), seenForMs);
  const bareMs = Math.min(nowMs, nowMs + skewMs) - left.sentAtMs;
  return bareMs >= UNKNOWN_SKEW_MS ? bareMs : seenForMs;
}

/** The one that left later; where the order is not known, a time at which both had left, of unknown skew. */
export function laterOf(one: Left, other: Left): Left {
  if (one.skewMs !== null && other.skewMs !== null)
    return onClock(one.sentAtMs, one.skewMs, other.skewMs) > other.sentAtMs ? one : other;
  if (one.skewMs === other.skewMs) return one.sentAtMs > other.sentAtMs ? one : other;
  const latest = [one, other].map(({ sentAtMs, skewMs }) => Math.max(sentAtMs, sentAtMs + (skewMs ?? 0)));
  return { sentAtMs: Math.max(...latest), skewMs: null };
}

/** Whether the one left before the other, or with it; by every clock where one of the two skews is unknown. */
export function leftBefore(one: Left, other: Left): boolean {
  if (one.skewMs !== null && other.skewMs !== null)
    return onClock(one.sentAtMs, one.skewMs, other.skewMs) <= other.sentAtMs;
  const [oneMs, otherMs] = [one, other].map(({ sentAtMs, skewMs }) => sentAtMs + (skewMs ?? 0));
  return one.sentAtMs <= other.sentAtMs && (oneMs ?? 0) <= (otherMs ?? 0);
}

/** The members of a ledger's line that say when a request left. */
export function leftOf(line: {
  readonly sent_at_ms: number;
  readonly skew_ms?: number | null | undefined;
}): Left {
  return { sentAtMs: line.sent_at_ms, skewMs: line.skew_ms ?? null };
}

/** An instant of a clock, on another: how far each is behind the service's tells them apart. */
function onClock(ms: number, skewMs: number, otherSkewMs: number): number {
  const behindMs = skewMs - otherSkewMs;
  // Rounded to the later side: what both headers leave out.
  return Math.abs(behindMs) <= SAME_CLOCK_MS ? ms : ms + behindMs + SAME_CLOCK_MS / 2;
}

/**
 * Judges ages for one process. Requests on record may come from another machine, or from before this one's clock was
 * set: only the service's clock is the same for all of them (decision 14).
 */
export class Ages {
  readonly #clock: Clock;
  readonly #service: Counterpart;
  /** When each request was first heard of here, by the monotonic clock. */
  readonly #seenMs = new Map<string, number>();

  constructor(clock: Clock, service: Counterpart) {
    this.#clock = clock;
    this.#service = service;
  }

  /** The same with its time on this machine's clock as it stands now: never earlier than it really left. */
  here<Of extends Left>(one: Of, entry: string): Of {
    const now = { nowMs: this.#clock.now(), skewMs: this.#service.told().skewMs };
    const sentAtMs = knownInstant(now.nowMs - ageMs(one, now, this.#seenForMs(`${entry}@${one.sentAtMs}`)));
    return { ...one, sentAtMs, skewMs: now.skewMs };
  }

  #seenForMs(key: string): number {
    const nowMs = this.#clock.monotonicMs();
    const seenMs = this.#seenMs.get(key) ?? nowMs;
    this.#seenMs.set(key, seenMs);
    return nowMs - seenMs;
  }
}
