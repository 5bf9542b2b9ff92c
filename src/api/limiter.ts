import type { Clock } from '../domain/ports.ts';
import type { Bucket, RateBudget, Slot } from '../domain/rate-budget.ts';

interface BucketState {
  readonly places: number;
  /** The minimum time for which a place is taken, from its grant. It enforces the rate. */
  readonly holdMs: number;
  inFlight: number;
  /** Monotonic times at which answered requests free their places, earliest first. */
  readonly releases: number[];
  blockedUntilMs: number;
}

interface Waiting {
  readonly order: number;
  readonly states: readonly BucketState[];
  readonly grant: (slot: Slot) => void;
}

/**
 * The server's sliding second, from the answer on: the request reached it some time before its headers.
 * The millisecond more is for clocks that round.
 */
const WINDOW_MS = 1001;

/** Requests that are answered within this still leave at the full rate: the places between their windows. */
const ROUND_TRIP_ALLOWANCE_SEC = 0.12;

/**
 * Keeps every bucket under its published rate on a server that counts strictly over a sliding second.
 * A request starts only when all its buckets have a place at the same moment, in the order of asking,
 * and a full endpoint never holds up another. A bucket never has more places than its rate, and a place
 * stays taken until one second after the response's headers, because the request reached the server
 * before them: stamping at the send alone lets jitter bunch requests into one second of the server's.
 * In addition, a place is held for places / rate seconds from its grant, which is the share of the rate.
 */
export class Limiter implements RateBudget {
  readonly #clock: Clock;
  readonly #share: number;
  readonly #buckets = new Map<string, BucketState>();
  /** One queue for each set of buckets: only its head can be next. */
  readonly #queues = new Map<string, Waiting[]>();
  #asked = 0;
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
    return this.#asked++;
  }

  /** Resolves when all buckets have a place; rejects with the signal's reason when it is aborted first. */
  acquire(buckets: readonly Bucket[], signal?: AbortSignal, turn = this.reserveOrder()): Promise<Slot> {
    signal?.throwIfAborted();
    const states = buckets.map((bucket) => this.#state(bucket));
    const queueKey = buckets.map((bucket) => bucket.key).join('\n');
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        order: turn,
        states,
        grant: (slot) => {
          signal?.removeEventListener('abort', leave);
          resolve(slot);
        },
      };
      const leave = () => {
        this.#remove(queueKey, waiting);
        if (this.#queues.size === 0) this.#stopTimer();
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', leave, { once: true });
      const queue = this.#queues.get(queueKey) ?? [];
      queue.splice(queue.findLastIndex((other) => other.order < turn) + 1, 0, waiting);
      this.#queues.set(queueKey, queue);
      // Behind another one of the same buckets it cannot be next.
      if (queue[0] === waiting) this.#lookAt(queueKey, waiting);
    });
  }

  /** Nothing more goes through this bucket for `ms`: the server said 429. */
  penalise(bucket: Bucket, ms: number): void {
    const state = this.#state(bucket);
    state.blockedUntilMs = Math.max(state.blockedUntilMs, this.#clock.monotonicMs() + ms);
  }

  #state(bucket: Bucket): BucketState {
    const known = this.#buckets.get(bucket.key);
    if (known !== undefined) return known;
    const rate = bucket.perSecond * this.#share;
    const most = Math.max(bucket.perSecond, rate);
    const places = Math.min(most, Math.ceil(rate * (1 + ROUND_TRIP_ALLOWANCE_SEC)));
    const holdMs = (places / rate) * 1000;
    const state = { places, holdMs, inFlight: 0, releases: [], blockedUntilMs: 0 };
    this.#buckets.set(bucket.key, state);
    return state;
  }

  /** The fast path of `#grantAll`: a new request, and no other change. */
  #lookAt(queueKey: string, waiting: Waiting): void {
    const now = this.#clock.monotonicMs();
    if (now >= this.#wakeUpAtMs) return this.#grantAll();
    const atMs = allFreeAt(waiting, now);
    if (atMs <= now) this.#grant(queueKey, waiting, now);
    else if (atMs < this.#wakeUpAtMs) this.#startTimer(atMs, now);
  }

  #grantAll(): void {
    const now = this.#clock.monotonicMs();
    for (let next = this.#nextFree(now); next !== null; next = this.#nextFree(now))
      this.#grant(next.queueKey, next.waiting, now);
    // Only a waiting request needs a timer; an idle limiter must not keep the process alive.
    this.#stopTimer();
    let earliest = Infinity;
    for (const [head] of this.#queues.values())
      if (head !== undefined) earliest = Math.min(earliest, allFreeAt(head, now));
    // Infinity: all places are in use, and the next answer checks again.
    if (earliest < Infinity) this.#startTimer(earliest, now);
  }

  #grant(queueKey: string, waiting: Waiting, now: number): void {
    this.#remove(queueKey, waiting);
    for (const state of waiting.states) state.inFlight += 1;
    waiting.grant(this.#slot(waiting.states, now));
  }

  #nextFree(now: number): { queueKey: string; waiting: Waiting } | null {
    let best: { queueKey: string; waiting: Waiting } | null = null;
    for (const [queueKey, queue] of this.#queues) {
      const waiting = queue[0];
      if (waiting === undefined || (best !== null && best.waiting.order < waiting.order)) continue;
      if (allFreeAt(waiting, now) <= now) best = { queueKey, waiting };
    }
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
          addSorted(state.releases, Math.max(answeredMs + WINDOW_MS, grantedMs + state.holdMs)),
        );
      },
      abandon: () => close(() => undefined),
    };
  }

  #remove(queueKey: string, waiting: Waiting): void {
    const queue = this.#queues.get(queueKey) ?? [];
    const index = queue.indexOf(waiting);
    if (index >= 0) queue.splice(index, 1);
    if (queue.length === 0) this.#queues.delete(queueKey);
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

function allFreeAt(waiting: Waiting, now: number): number {
  return Math.max(...waiting.states.map((state) => freeAt(state, now)));
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
  const placeFree = taken < state.places ? now : (state.releases[0] ?? Infinity);
  return Math.max(placeFree, state.blockedUntilMs);
}
