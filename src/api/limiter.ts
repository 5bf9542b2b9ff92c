import type { Clock } from '../domain/ports.ts';

/** The server's sliding second, counted from the answer, and a millisecond for clocks that round. */
const WINDOW_MS = 1001;
/** Requests that are answered within this still leave at the full rate: the places between their windows. */
const ROUND_TRIP_ALLOWANCE_SEC = 0.12;
/** Each second without a 429 gives back so much of the share. */
const GIVEN_BACK = 0.05;
/** So many processes on one token still get along. */
const SMALLEST_PART = 1 / 64;

/**
 * Which of the requests that wait goes first: one that stops something or settles what is unconfirmed, then one that left before
 * and must leave again, so that a 429 does not send it behind all others.
 */
const TURNS = ['urgent', 'repeated', 'new'] as const;
export type Turn = (typeof TURNS)[number];

interface BucketState {
  readonly bucket: Bucket;
  /** So many requests may be under way or not older than the window: never more than the rate. */
  places: number;
  /** The time for which a place is taken at least, from its grant: places / rate. It enforces the share of the rate. */
  holdMs: number;
  /** The part that the last 429 has left, and when it came. */
  slowed: { readonly part: number; readonly atMs: number } | null;
  inFlight: number;
  /** Monotonic times at which answered requests free their places, earliest first. */
  readonly releases: number[];
  blockedUntilMs: number;
}

interface Waiting {
  readonly turn: Turn;
  readonly states: readonly BucketState[];
  readonly grant: (slot: Slot) => void;
}

/**
 * Keeps every bucket under its published rate on a server that counts strictly over a sliding second.
 * A request starts only when all its buckets have a place at the same moment, in the order of
 * their turns and else of asking, and a full endpoint never holds up another. A bucket never has more places than its rate, and a place
 * stays taken until one second after the response's headers, because the request reached the server
 * before them: stamping at the send alone lets jitter bunch requests into one second of the server's.
 *
 * Other processes may use the same token. A 429 says so: it halves the rate of its bucket, and each second without one gives a
 * little back, up to the share. So processes that know nothing of each other find what each can have.
 */
export class Limiter implements RateBudget {
  readonly #clock: Clock;
  readonly #share: number;
  readonly #buckets = new Map<string, BucketState>();
  /** In the order in which they may start. */
  readonly #waiting: Waiting[] = [];
  #timer = new AbortController();
  /** When the timer ends, on the monotonic clock. */
  #wakesAtMs = Infinity;

  /** `share` is the part of every rate, above 0 and at most 1; more is for a server that has no limits. */
  constructor(clock: Clock, share: number) {
    this.#clock = clock;
    this.#share = share;
  }

  acquire(buckets: readonly Bucket[], turn: Turn = 'new'): Promise<Slot> {
    const states = buckets.map((bucket) => this.#state(bucket));
    return new Promise((resolve) => {
      const waiting = { turn, states, grant: resolve };
      const isBefore = (other: Waiting) => TURNS.indexOf(other.turn) <= TURNS.indexOf(turn);
      this.#waiting.splice(this.#waiting.findLastIndex(isBefore) + 1, 0, waiting);
      // The others wait for the timer or an answer.
      this.#grantFree(this.#clock.monotonicMs() < this.#wakesAtMs ? [waiting] : undefined);
    });
  }

  penalise(bucket: Bucket, ms: number): void {
    const state = this.#state(bucket);
    const now = this.#clock.monotonicMs();
    state.blockedUntilMs = Math.max(state.blockedUntilMs, now + ms);
    // Requests that were under way together are refused together, for one reason.
    if (state.slowed !== null && now - state.slowed.atMs < WINDOW_MS) return;
    state.slowed = { part: Math.max(SMALLEST_PART, partNow(state, now) / 2), atMs: now };
    this.#adapt(state, now);
  }

  #state(bucket: Bucket): BucketState {
    const known = this.#buckets.get(bucket.key);
    if (known !== undefined) return known;
    const whole = { places: 0, holdMs: 0, slowed: null, inFlight: 0, releases: [], blockedUntilMs: 0 };
    const state: BucketState = { bucket, ...whole };
    this.#adapt(state, this.#clock.monotonicMs());
    this.#buckets.set(bucket.key, state);
    return state;
  }

  #adapt(state: BucketState, now: number): void {
    const { perSecond } = state.bucket;
    const part = partNow(state, now);
    const rate = perSecond * this.#share * part;
    if (part >= 1) state.slowed = null;
    const most = Math.max(perSecond, rate);
    // No place for a burst after a 429: others of the token may have one at the same moment.
    state.places =
      state.slowed === null
        ? Math.min(most, Math.ceil(rate * (1 + ROUND_TRIP_ALLOWANCE_SEC)))
        : Math.max(1, Math.floor(rate));
    state.holdMs = (state.places / rate) * 1000;
  }

  /** Grants those that can start now, and sets the timer for the next one. */
  #grantFree(candidates: readonly Waiting[] = [...this.#waiting]): void {
    const now = this.#clock.monotonicMs();
    let nextMs = candidates.length < this.#waiting.length ? this.#wakesAtMs : Infinity;
    for (const waiting of candidates) {
      const freeMs = Math.max(...waiting.states.map((state) => freeAt(state, now)));
      if (freeMs > now) nextMs = Math.min(nextMs, freeMs);
      else {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        this.#grant(waiting, now);
      }
    }
    if (nextMs !== this.#wakesAtMs) this.#wakeAt(nextMs, now);
  }

  /** Infinity: nothing waits, or all places are in use and the next answer looks again. A timer would keep the process alive. */
  #wakeAt(atMs: number, now: number): void {
    this.#timer.abort();
    this.#wakesAtMs = atMs;
    if (atMs === Infinity) return;
    this.#timer = new AbortController();
    this.#clock.sleep(atMs - now, this.#timer.signal).then(
      () => {
        this.#wakesAtMs = Infinity;
        this.#grantFree();
      },
      () => undefined,
    );
  }

  #grant({ states, grant }: Waiting, grantedMs: number): void {
    for (const state of states) {
      state.inFlight += 1;
      if (state.slowed !== null) this.#adapt(state, grantedMs);
    }
    let isTaken = true;
    const close = (after: (state: BucketState) => void) => {
      if (!isTaken) return;
      isTaken = false;
      for (const state of states) {
        state.inFlight -= 1;
        after(state);
      }
      this.#grantFree();
    };
    grant({
      answered: () => {
        const answeredMs = this.#clock.monotonicMs();
        close(({ releases, holdMs }) => {
          const atMs = Math.max(answeredMs + WINDOW_MS, grantedMs + holdMs);
          // Requests are answered out of order, so a place that was granted earlier may be free later.
          releases.splice(releases.findLastIndex((other) => other <= atMs) + 1, 0, atMs);
        });
      },
      abandon: () => close(() => undefined),
    });
  }
}

/** The part of its share that a bucket uses. */
function partNow({ slowed }: BucketState, now: number): number {
  if (slowed === null) return 1;
  const seconds = Math.floor((now - slowed.atMs) / 1000);
  return Math.min(1, slowed.part + seconds * GIVEN_BACK);
}

/** The time at which the bucket has a place, as far as is known; Infinity while all are in use. */
function freeAt(state: BucketState, now: number): number {
  while (state.releases.length > 0 && (state.releases[0] ?? 0) <= now) state.releases.shift();
  const taken = state.inFlight + state.releases.length;
  return Math.max(taken < state.places ? now : (state.releases[0] ?? Infinity), state.blockedUntilMs);
}

/** One published limit that a request counts against, e.g. `token` at 25 per second. */
export interface Bucket {
  readonly key: string;
  readonly perSecond: number;
}

/** The right to send one request now. It ends a while after the answer. */
export interface Slot {
  /** The response's headers are here: the request arrived before now. */
  answered(): void;
  /** The request was never sent: its place is free again at once. */
  abandon(): void;
}

/** Permission to send, so that all requests together stay within the published rates. */
export interface RateBudget {
  /** Resolves when all buckets have a place. Without a turn: `new`. */
  acquire(buckets: readonly Bucket[], turn?: Turn): Promise<Slot>;
  /** Grants nothing from the bucket for so long: the service said that it was too fast. */
  penalise(bucket: Bucket, ms: number): void;
}
