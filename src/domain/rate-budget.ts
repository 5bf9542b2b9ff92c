/** One published limit that a request counts against, e.g. `token` at 25 per second. */
export interface Bucket {
  readonly key: string;
  readonly perSecond: number;
}

/** The right to send one request now. It ends a while after the answer. */
export interface Slot {
  /** The response's headers are here: the request arrived before now. */
  answered(): void;
  /** The request was never sent: its place is free again at once. */
  abandon(): void;
  /** False if the service has said since that it was too fast. The request then needs a new place. */
  isOpen(): boolean;
}

/** Permission to send, so that all requests together stay within the published rates. */
export interface RateBudget {
  /** A place in the order of asking, for a request that may have to ask again: it does not go behind the others then. */
  reserveOrder(): number;
  /** Resolves when all buckets have a place; rejects with the signal's reason when it is aborted first. */
  acquire(buckets: readonly Bucket[], signal?: AbortSignal, turn?: number): Promise<Slot>;
  /** Grants nothing from the bucket for so long: the service said that it was too fast. */
  penalise(bucket: Bucket, ms: number): void;
}
