import { drawBelow } from '../random.ts';

/** A version 4 UUID out of the world's own chance, so that runs can be replayed. */
export function newUuid(world: { randomState: number }): string {
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () => drawBelow(world, 16).toString(16));
}
