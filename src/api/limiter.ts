import type { Clock } from '../domain/ports.ts';
import type { Bucket, RateBudget, Slot } from '../domain/rate-budget.ts';
import { placesOf, WINDOW_MS, type BucketPlaces } from './bucket-places.ts';
import { RequestQueues, type Waiting } from './request-queues.ts';

interface BucketState {
  readonly bucket: Bucket;
  /** Of the part of its share that it uses now. */
  places: BucketPlaces;
  /** The part that the last 429 has left, and when it came. */
  slowed: { readonly part: number; readonly atMs: number } | null;
  inFlight: number;
  /** Monotonic times at which answered requests free their places, earliest first. */
  readonly releases: number[];
  blockedUntilMs: number;
}

/** Each second without a 429 gives back so much of the share. */
const GIVEN_BACK = 0.02;
/** So many processes on one token still get along. */
const SMALLEST_PART = 1 / 64;

/** A request and the states of its buckets. */
type InLine = Waiting<readonly BucketState[]>;

/**
 * Keeps every bucket under its published rate on a server that counts strictly over a sliding second.
 * A request starts only when all its buckets have a place at the same moment, in the order of asking,
 * and a full endpoint never holds up another. A bucket never has more places than its rate, and a place
 * stays taken until one second after the response's headers, because the request reached the server
 * before them: stamping at the send alone lets jitter bunch requests into one second of the server's.
 * In addition, a place is held for places / rate seconds from its grant, which is the share of the rate.
 *
 * Other processes may use the same token. A 429 says so: it halves the rate of its bucket, and each second without one gives a
 * little back, up to the share. So processes that know nothing of each other find what each can have.
 */
export class Limiter implements RateBudget {
  readonly #clock: Clock;
  readonly #share: number;
  readonly #buckets = new Map<string, BucketState>();
  readonly #queues = new RequestQueues<readonly BucketState[]>();
  #wakeUp: AbortController | null = null;
  #wakeUpAtMs = Infinity;

  /**
   * `share` is the part of every rate that this process takes, above 0 and at most 1; more is for a server
   * that has no limits.
   */
  constructor(clock: Clock, share: number) {
    this.#clock = clock;
    this.#share = share;
  }

  /** A place in the order of asking, for a request that may have to ask again: it does not go behind the others then. */
  reserveOrder(): number {
    return this.#queues.reserveOrder();
  }

  /** Resolves when all buckets have a place; rejects with the signal's reason when it is aborted first. */
  acquire(buckets: readonly Bucket[], signal?: AbortSignal, turn = this.reserveOrder()): Promise<Slot> {
    signal?.throwIfAborted();
    const facts = buckets.map((bucket) => this.#state(bucket));
    return this.#queues.add(
      { buckets, order: turn, signal, facts },
      {
        // Behind another one of the same buckets it cannot be next.
        onAdded: (waiting) => {
          if (this.#queues.isHead(waiting)) this.#lookAt(waiting);
        },
        onLeft: () => {
          if (this.#queues.isEmpty) this.#stopTimer();
        },
      },
    );
  }

  /** Nothing more goes through this bucket for `ms`: the server said 429. */
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
    const places = placesOf(bucket, this.#share);
    const state = { bucket, places, slowed: null, inFlight: 0, releases: [], blockedUntilMs: 0 };
    this.#buckets.set(bucket.key, state);
    return state;
  }

  #adapt(state: BucketState, now: number): void {
    if (state.slowed === null) return;
    const part = partNow(state, now);
    // No place for a burst: others of the token may have one at the same moment.
    const rate = state.bucket.perSecond * this.#share * part;
    const places = Math.max(1, Math.floor(rate));
    state.places = { places, holdMs: (places / rate) * 1000 };
    if (part < 1) return;
    state.places = placesOf(state.bucket, this.#share);
    state.slowed = null;
  }

  /** The fast path of `#grantAll`: a new request, and no other change. */
  #lookAt(waiting: InLine): void {
    const now = this.#clock.monotonicMs();
    if (now >= this.#wakeUpAtMs) return this.#grantAll();
    const atMs = allFreeAt(waiting, now);
    if (atMs <= now) this.#grant(waiting, now);
    else if (atMs < this.#wakeUpAtMs) this.#startTimer(atMs, now);
  }

  #grantAll(): void {
    const now = this.#clock.monotonicMs();
    for (let next = this.#nextFree(now); next !== null; next = this.#nextFree(now)) this.#grant(next, now);
    // Only a waiting request needs a timer; an idle limiter must not keep the process alive.
    this.#stopTimer();
    let earliest = Infinity;
    for (const head of this.#queues.heads()) earliest = Math.min(earliest, allFreeAt(head, now));
    // Infinity: all places are in use, and the next answer checks again.
    if (earliest < Infinity) this.#startTimer(earliest, now);
  }

  #grant(waiting: InLine, now: number): void {
    this.#queues.remove(waiting);
    for (const state of waiting.facts) {
      state.inFlight += 1;
      this.#adapt(state, now);
    }
    waiting.grant(this.#slot(waiting.facts, now));
  }

  #nextFree(now: number): InLine | null {
    let best: InLine | null = null;
    for (const head of this.#queues.heads())
      if ((best === null || head.order < best.order) && allFreeAt(head, now) <= now) best = head;
    return best;
  }

  #slot(states: readonly BucketState[], grantedMs: number): Slot {
    let open = true;
    const close = (after: (state: BucketState) => void) => {
      if (!open) return;
      open = false;
      for (const state of states) {
        state.inFlight -= 1;
        after(state);
      }
      this.#grantAll();
    };
    return {
      answered: () => {
        const answeredMs = this.#clock.monotonicMs();
        close((state) =>
          addSorted(state.releases, Math.max(answeredMs + WINDOW_MS, grantedMs + state.places.holdMs)),
        );
      },
      abandon: () => close(() => undefined),
      isOpen: () => states.every(({ blockedUntilMs }) => blockedUntilMs <= this.#clock.monotonicMs()),
    };
  }

  #startTimer(atMs: number, now: number): void {
    this.#stopTimer();
    const wakeUp = new AbortController();
    this.#wakeUp = wakeUp;
    this.#wakeUpAtMs = atMs;
    this.#clock.sleep(Math.max(0, atMs - now), wakeUp.signal).then(
      () => this.#grantAll(),
      () => undefined,
    );
  }

  #stopTimer(): void {
    this.#wakeUp?.abort();
    this.#wakeUp = null;
    this.#wakeUpAtMs = Infinity;
  }
}

/** The part of its share that a bucket uses. */
function partNow({ slowed }: BucketState, now: number): number {
  if (slowed === null) return 1;
  const seconds = Math.floor((now - slowed.atMs) / 1000);
  return Math.min(1, slowed.part + seconds * GIVEN_BACK);
}

function allFreeAt(waiting: InLine, now: number): number {
  return Math.max(...waiting.facts.map((state) => freeAt(state, now)));
}

/** Requests are answered out of order, so a place that was granted earlier may be free later. */
function addSorted(times: number[], time: number): void {
  let place = times.length;
  while (place > 0 && (times[place - 1] ?? 0) > time) place -= 1;
  times.splice(place, 0, time);
}

/** The time at which the bucket has a place, as far as is known; Infinity while all are in use. */
function freeAt(state: BucketState, now: number): number {
  while (state.releases.length > 0 && (state.releases[0] ?? 0) <= now) state.releases.shift();
  const taken = state.inFlight + state.releases.length;
  const placeFree = taken < state.places.places ? now : (state.releases[0] ?? Infinity);
  return Math.max(placeFree, state.blockedUntilMs);
}
