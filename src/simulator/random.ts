/** An object with the state of the random numbers. Every draw changes it. */
interface Seeded {
  randomState: number;
}

/** A number from 0 (inclusive) to 1 (exclusive): mulberry32 with the world's state, so that runs can be repeated. */
export function draw(world: Seeded): number {
  world.randomState = (world.randomState + 0x6d2b79f5) >>> 0;
  let mixed = world.randomState;
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

/** A whole number from 0 to `below` - 1. */
export function drawBelow(world: Seeded, below: number): number {
  return Math.floor(draw(world) * below);
}

/** Fisher-Yates, in place. */
export function shuffle<Item>(world: Seeded, items: Item[]): void {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = drawBelow(world, last + 1);
    const [left, right] = [items[last], items[other]];
    if (left === undefined || right === undefined) return;
    items[last] = right;
    items[other] = left;
  }
}
