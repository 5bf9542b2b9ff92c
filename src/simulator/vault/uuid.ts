import { drawBelow } from '../random.ts';

/** A version 4 UUID from the world's random numbers, so that runs can be repeated. */
export function newUuid(world: { randomState: number }): string {
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () => drawBelow(world, 16).toString(16));
}
