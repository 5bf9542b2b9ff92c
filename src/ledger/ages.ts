import { momentOf, type Moment } from '../domain/elapsed.ts';
import type { Clock } from '../domain/ports.ts';
import { knownInstant } from './instant-text.ts';
import type { ConnectedService } from './origins.ts';

/** When a request left: by the clock of the machine that sent it, and where the service's stood then. */
export interface SendTime {
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

/** A `Date` header has whole seconds, so two estimates of one clock may differ by this much. */
export const SAME_CLOCK_MS = 2_000;

/**
 * A clock difference that no line has on record is taken to be less than this. Wrong time zones err by hours, and a
 * clock that lost its battery gets no answers over TLS.
 */
export const UNKNOWN_SKEW_MS = 86_400_000;

/** Two clocks that differ by more than this on the age of one request are not both right. */
const AGREE_MS = 30_000;

/**
 * The least age of a request of another run. Any single clock may be wrong: the machine's, or that of the server that
 * answered. So two clocks must agree, and the smaller age counts. `seenForMs` is how long this process has known of the
 * request, by its monotonic clock. No request is younger than that, so no run waits longer than one window.
 *
 * | by the machines' clocks and by the service's  | it is at least as old as                             |
 * |-----------------------------------------------|------------------------------------------------------|
 * | about the same age                            | the smaller one, and as this process has known of it |
 * | other ages, or the skew of the line not known | this process has known of it; but a day is a day     |
 * | our own skew not known                        | this process has known of it                         |
 */
export function ageMs(left: SendTime, now: Now, seenForMs: number): number {
  if (now.skewMs === null) return seenForMs;
  const leastMs = Math.min(...agesOf(left, now));
  return clocksAgree(left, now) || leastMs >= UNKNOWN_SKEW_MS ? Math.max(leastMs, seenForMs) : seenForMs;
}

/** Whether the machines' clocks and the service's say about the same of a request's age. */
function clocksAgree(left: SendTime, now: Now): boolean {
  const [byMachinesMs, byServiceMs] = agesOf(left, now);
  return left.skewMs !== null && Math.abs(byMachinesMs - byServiceMs) <= AGREE_MS;
}

/**
 * The same by the service's clock alone, for a person who closes an entry: machines' clocks may differ for good. A close
 * waits if they do.
 */
function ageByServiceMs(left: SendTime, now: Now, seenForMs: number): number {
  if (left.skewMs === null || now.skewMs === null) return ageMs(left, now, seenForMs);
  const [, byServiceMs] = agesOf(left, now);
  return Math.max(byServiceMs, seenForMs);
}

/** By the machines' clocks and by the service's. A skew that was not recorded counts as zero. */
function agesOf({ sentAtMs, skewMs }: SendTime, now: Now): readonly [number, number] {
  const oursMs = now.skewMs ?? 0;
  const byServiceMs =
    skewMs === null ? now.nowMs + oursMs - sentAtMs : now.nowMs - onClock(sentAtMs, skewMs, oursMs);
  return [now.nowMs - sentAtMs, byServiceMs];
}

/** The one that left later; where the order is not known, a time at which both had left, of unknown skew. */
export function laterOf(one: SendTime, other: SendTime): SendTime {
  if (one.skewMs !== null && other.skewMs !== null)
    return onClock(one.sentAtMs, one.skewMs, other.skewMs) > other.sentAtMs ? one : other;
  if (one.skewMs === other.skewMs) return one.sentAtMs > other.sentAtMs ? one : other;
  const latest = [one, other].map(({ sentAtMs, skewMs }) => Math.max(sentAtMs, sentAtMs + (skewMs ?? 0)));
  return { sentAtMs: Math.max(...latest), skewMs: null };
}

/** Whether the one left before the other, or with it; by every clock where one of the two skews is unknown. */
export function sentBefore(one: SendTime, other: SendTime): boolean {
  if (one.skewMs !== null && other.skewMs !== null)
    return onClock(one.sentAtMs, one.skewMs, other.skewMs) <= other.sentAtMs;
  const [oneMs, otherMs] = [one, other].map(({ sentAtMs, skewMs }) => sentAtMs + (skewMs ?? 0));
  return one.sentAtMs <= other.sentAtMs && (oneMs ?? 0) <= (otherMs ?? 0);
}

/**
 * Whether the one left before the other for certain: not with it, and also if the two machines' clocks differ by what both
 * headers leave out.
 */
export function surelySentBefore(one: SendTime, other: SendTime): boolean {
  if (one.skewMs === null || other.skewMs === null || one.skewMs === other.skewMs)
    return one.sentAtMs < other.sentAtMs && sentBefore(one, other);
  const shiftedMs = one.sentAtMs + one.skewMs - other.skewMs + SAME_CLOCK_MS / 2;
  return sentBefore(one, other) && shiftedMs < other.sentAtMs;
}

/** The members of a ledger's line that say when a request left. */
export function sendTimeOf(line: {
  readonly sent_at_ms: number;
  readonly skew_ms?: number | null | undefined;
}): SendTime {
  return { sentAtMs: line.sent_at_ms, skewMs: line.skew_ms ?? null };
}

/** An instant of a clock, on another: how far each is behind the service's tells them apart. */
function onClock(ms: number, skewMs: number, otherSkewMs: number): number {
  const behindMs = skewMs - otherSkewMs;
  // Rounded to the later side: what both headers leave out.
  return Math.abs(behindMs) <= SAME_CLOCK_MS ? ms : ms + behindMs + SAME_CLOCK_MS / 2;
}

/** The two clocks of this process read within this of each other: two times are of one departure. */
const SAME_MOMENT_MS = 5_000;

/**
 * Judges ages for one process. What it has sent itself, it measures by its monotonic clock; requests on record may come
 * from another machine, or from before this one's clock was set (decisions 14 and 18).
 */
export class Ages {
  readonly #clock: Clock;
  readonly #service: ConnectedService;
  /** When each request was first heard of here, by the monotonic clock. */
  readonly #seenMs = new Map<string, number>();
  /** Of entries that this process has sent, oldest first. */
  readonly #departures = new Map<string, readonly Moment[]>();

  constructor(clock: Clock, service: ConnectedService) {
    this.#clock = clock;
    this.#service = service;
  }

  /** A copy of the entry's request leaves now. */
  leaves(entry: string): void {
    this.#departures.set(entry, [...(this.#departures.get(entry) ?? []), momentOf(this.#clock)]);
  }

  /** How old a copy of the entry's request is at least, in milliseconds. */
  ageMs(left: SendTime, entry: string): number {
    return (
      this.#ownAgeMs(left, entry) ??
      ageMs(left, this.#now('sureSkewMs'), this.#seenForMs(`${entry}@${left.sentAtMs}`))
    );
  }

  /** The same with its time on this machine's clock as it stands now: never earlier than it really left. */
  here<Of extends SendTime>(one: Of, entry: string): Of {
    const { nowMs, skewMs } = this.#now('skewMs');
    return { ...one, sentAtMs: knownInstant(nowMs - this.ageMs(one, entry)), skewMs };
  }

  /** By the service's clock alone; null while that is not known. */
  byServiceMs(left: SendTime, entry: string): number | null {
    const now = this.#now('skewMs');
    const seenForMs = this.#seenForMs(`${entry}@${left.sentAtMs}`);
    return now.skewMs === null ? null : ageByServiceMs(left, now, seenForMs);
  }

  #now(skew: 'skewMs' | 'sureSkewMs'): Now {
    return { nowMs: this.#clock.now(), skewMs: this.#service.serverInfo()[skew] };
  }

  /** Null where this process has sent none. Of several copies the one of that time; the last where that is not clear. */
  #ownAgeMs({ sentAtMs }: SendTime, entry: string): number | null {
    const departures = this.#departures.get(entry) ?? [];
    const isThen = ({ wallMs }: Moment) => Math.abs(wallMs - sentAtMs) <= SAME_MOMENT_MS;
    const departure = departures.findLast(isThen) ?? departures.at(-1);
    return departure === undefined ? null : this.#clock.monotonicMs() - departure.monotonicMs;
  }

  #seenForMs(key: string): number {
    const nowMs = this.#clock.monotonicMs();
    const seenMs = this.#seenMs.get(key) ?? nowMs;
    this.#seenMs.set(key, seenMs);
    return nowMs - seenMs;
  }
}
