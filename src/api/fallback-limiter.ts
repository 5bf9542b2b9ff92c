import type { Clock } from '../domain/ports.ts';
import type { Bucket } from '../domain/rate-budget.ts';
import { WINDOW_MS } from './bucket-places.ts';
import { Limiter } from './limiter.ts';
import type { RequestQueues, Waiting } from './request-queues.ts';

type InLine = Waiting<readonly Bucket[]>;

/** Grants the requests of queues by a limiter of this process alone, while the other processes cannot be asked. */
export class FallbackLimiter {
  readonly #limiter: Limiter;
  readonly #queues: RequestQueues<readonly Bucket[]>;
  readonly #asked = new Map<InLine, AbortController>();
  readonly #onGranted: () => void;

  constructor(clock: Clock, share: number, queues: RequestQueues<readonly Bucket[]>, onGranted: () => void) {
    this.#limiter = new Limiter(clock, share);
    this.#queues = queues;
    this.#onGranted = onGranted;
  }

  /** Asks for all that wait. Nothing leaves for a second, in which earlier requests leave the server's window. */
  begin(buckets: Iterable<Bucket>): void {
    for (const bucket of buckets) this.#limiter.penalise(bucket, WINDOW_MS);
    for (const waiting of this.#queues.all()) this.ask(waiting);
  }

  ask(waiting: InLine): void {
    if (this.#asked.has(waiting)) return;
    const stop = new AbortController();
    this.#asked.set(waiting, stop);
    this.#limiter.acquire(waiting.facts, stop.signal, waiting.order).then(
      (slot) => {
        // The others were found again at the same moment.
        if (!this.#asked.delete(waiting)) return slot.abandon();
        this.#queues.remove(waiting);
        waiting.grant(slot);
        this.#onGranted();
      },
      () => undefined,
    );
  }

  forget(waiting: InLine): void {
    this.#asked.get(waiting)?.abort();
    this.#asked.delete(waiting);
  }

  penalise(bucket: Bucket, ms: number): void {
    this.#limiter.penalise(bucket, ms);
  }

  /** Grants nothing more. What waits stays in its queues. */
  end(): void {
    for (const waiting of this.#asked.keys()) this.forget(waiting);
  }
}
