import type { Clock } from '../../domain/ports.ts';
import type { World } from '../world.ts';

/** One request to the object store. */
export interface StorageRequest {
  readonly method: string;
  readonly url: string;
  /** A header by its name in small letters; null where there is none. */
  readonly header: (name: string) => string | null;
  readonly body: AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
}

/** Hears every piece of every body, for whoever wants to keep them; the key is that of start. */
export type Keep = (
  place: { readonly key: string; readonly part: number },
  piece: Uint8Array,
) => void | Promise<void>;

/** What the object store works with. */
export interface StorageEngine {
  readonly world: World;
  readonly clock: Clock;
  /** Lets virtual time catch up with the clock. */
  catchUp(): void;
  readonly keep?: Keep | undefined;
}
