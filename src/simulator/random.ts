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
