import { RATES } from '../api/client.ts';
import type { Operation } from '../api/catalogue.ts';

interface Gate {
  free: number;
  readonly waiting: (() => void)[];
}

/**
 * Lets only as many calls into the queue of an endpoint as its rate keeps busy. Whoever waits, waits here and
 * before its intent is written: an intent must tell when its request left, to the second, because the time in
 * which a lost create may still commit counts from there.
 */
export class Gates {
  readonly #gates = new Map<Operation, Gate>();

  async pass<Result>(operation: Operation, work: () => Promise<Result>): Promise<Result> {
    const gate = this.#gateOf(operation);
    if (gate.free > 0) gate.free -= 1;
    else await new Promise<void>((resolve) => void gate.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = gate.waiting.shift();
      if (next === undefined) gate.free += 1;
      else next();
    }
  }

  #gateOf(operation: Operation): Gate {
    const known = this.#gates.get(operation);
    if (known !== undefined) return known;
    // One more than the rate lets through, so that the next is always ready.
    const gate: Gate = { free: Math.ceil(RATES[operation]) + 1, waiting: [] };
    this.#gates.set(operation, gate);
    return gate;
  }
}
