import type { Bucket, Slot } from '../domain/rate-budget.ts';

/** A request that waits for its slot. */
export interface Waiting<Facts> {
  /** The requests of one queue need the same buckets. */
  readonly queueKey: string;
  readonly order: number;
  readonly facts: Facts;
  readonly grant: (slot: Slot) => void;
}

interface NewRequest<Facts> {
  readonly buckets: readonly Bucket[];
  readonly order: number;
  readonly signal: AbortSignal | undefined;
  readonly facts: Facts;
}

interface RequestEvents<Facts> {
  readonly onAdded: (waiting: Waiting<Facts>) => void;
  readonly onLeft: (waiting: Waiting<Facts>) => void;
}

/** Requests that wait, in the order of asking. There is one queue for each set of buckets: only its head can be next. */
export class RequestQueues<Facts> {
  readonly #queues = new Map<string, Waiting<Facts>[]>();
  #asked = 0;

  /** A place in the order of asking. */
  reserveOrder(): number {
    return this.#asked++;
  }

  /** True if no request waits. */
  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  /**
   * Adds a request. Rejects with the signal's reason when it is aborted before its grant. `onAdded` is called at once;
   * `onLeft` after an abort.
   */
  add(
    { buckets, order, signal, facts }: NewRequest<Facts>,
    { onAdded, onLeft }: RequestEvents<Facts>,
  ): Promise<Slot> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting<Facts> = {
        queueKey: buckets.map((bucket) => bucket.key).join('\n'),
        order,
        facts,
        grant: (slot) => {
          signal?.removeEventListener('abort', leave);
          resolve(slot);
        },
      };
      const leave = () => {
        this.remove(waiting);
        onLeft(waiting);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', leave, { once: true });
      const queue = this.#queues.get(waiting.queueKey) ?? [];
      queue.splice(queue.findLastIndex((other) => other.order < order) + 1, 0, waiting);
      this.#queues.set(waiting.queueKey, queue);
      onAdded(waiting);
    });
  }

  /** True if no other request of its queue is before it. */
  isHead(waiting: Waiting<Facts>): boolean {
    return this.#queues.get(waiting.queueKey)?.[0] === waiting;
  }

  *heads(): Iterable<Waiting<Facts>> {
    for (const [head] of this.#queues.values()) if (head !== undefined) yield head;
  }

  remove(waiting: Waiting<Facts>): void {
    const queue = this.#queues.get(waiting.queueKey) ?? [];
    const index = queue.indexOf(waiting);
    if (index >= 0) queue.splice(index, 1);
    if (queue.length === 0) this.#queues.delete(waiting.queueKey);
  }
}
