/** An object with the state of the random numbers. Every draw changes it. */
interface Seeded {
  randomState: number;
}

/** A whole number from 0 to `below` - 1, from the world's state, so that runs can be repeated. */
export function drawBelow(world: Seeded, below: number): number {
  world.randomState = (world.randomState + 0x6d2b79f5) >>> 0;
  return Math.floor((mix(world.randomState, 1) / 2 ** 32) * below);
}

export function drawUuid(world: Seeded): string {
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () => drawBelow(world, 16).toString(16));
}

type Counter = 'nextCampaignId' | 'nextBroadcastId' | 'nextListId' | 'nextMediaId' | 'nextTransactionId';

/** The largest step from one id to the next. Ids grow, but not by one. */
const MAX_STEP = 9;

/** A new id: growing, beyond 2^53, and soon one digit longer (ACCOUNT-1). */
export function takeId(world: Seeded & Record<Counter, string>, counter: Counter): string {
  const id = world[counter];
  world[counter] = String(BigInt(id) + BigInt(1 + drawBelow(world, MAX_STEP)));
  return id;
}

/**
 * A 32-bit number that looks random and is always the same for the same input (the finaliser of MurmurHash3). It
 * has no state, so any row can be computed without the rows before it.
 */
export function mix(seed: number, index: number): number {
  let mixed = Math.imul(index ^ seed, 0x9e3779b1) ^ (seed >>> 7);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** The seed for a text, derived from another seed. */
export function mixText(seed: number, text: string): number {
  let mixed = seed;
  for (let at = 0; at < text.length; at += 1) mixed = mix(mixed, text.charCodeAt(at));
  return mixed;
}

/** Picks one item by a number from `mix`. */
export function pick<Item>(items: readonly [Item, ...Item[]], mixed: number): Item {
  return items[mixed % items.length] ?? items[0];
}
