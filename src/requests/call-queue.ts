import pLimit, { type LimitFunction } from 'p-limit';
import type { Operation } from '../api/catalogue.ts';
import { RATES } from '../api/client.ts';

/**
 * Lets only as many calls of an operation begin as its rate keeps busy. The others wait here, before their objects are
 * looked at: what was read long before a request leaves has to be read again.
 */
export class CallQueue {
  readonly #limits = new Map<Operation, LimitFunction>();

  /** Runs `work` when it is its turn, in the order of the calls. */
  run<Result>(operation: Operation, work: () => Promise<Result>): Promise<Result> {
    // One more than the rate allows, so that the next call is always ready.
    const limit = this.#limits.get(operation) ?? pLimit(Math.ceil(RATES[operation]) + 1);
    this.#limits.set(operation, limit);
    return limit(work);
  }
}
