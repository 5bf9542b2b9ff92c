import type { Clock } from '../../domain/ports.ts';
import type { World } from '../world.ts';

/** One request to the object store. */
export interface StorageRequest {
  readonly method: string;
  readonly url: string;
  /** A header by its lower-case name; null if it is missing. */
  readonly header: (name: string) => string | null;
  readonly body: AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
}

/** Receives every piece of every body. The key is that of start. */
export type Keep = (
  place: { readonly key: string; readonly part: number },
  piece: Uint8Array,
) => void | Promise<void>;

/** The parts that the object store works with. */
export interface StorageEngine {
  readonly world: World;
  readonly clock: Clock;
  /** Advances virtual time to the clock. */
  catchUp(): void;
  readonly keep?: Keep | undefined;
}
