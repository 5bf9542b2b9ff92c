/** Draws that depend on nothing but a seed. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
    // Neighbouring seeds begin alike.
    for (let turn = 0; turn < 8; turn += 1) this.#next();
  }

  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.#next() * (max - min + 1));
  }

  /** True once in so many. */
  oneIn(count: number): boolean {
    return this.int(1, count) === 1;
  }

  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.int(0, values.length - 1)];
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  }

  /** One of the values, each as often as its weight says. */
  weighted<Value>(values: readonly (readonly [weight: number, value: Value])[]): Value {
    const total = values.reduce((sum, [weight]) => sum + weight, 0);
    let left = this.#next() * total;
    for (const [weight, value] of values) {
      left -= weight;
      if (left < 0) return value;
    }
    throw new Error('nothing to pick from');
  }

  /** From `min` to `max` values. */
  some<Value>(min: number, max: number, draw: () => Value): Value[] {
    return Array.from({ length: this.int(min, max) }, draw);
  }

  /** The mulberry32 generator. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}
