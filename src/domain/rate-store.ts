/** What a process sends requests for. In this order it gets places when several processes wait for the same ones. */
export const URGENCIES = ['stop', 'apply', 'plan', 'export'] as const;
export type Urgency = (typeof URGENCIES)[number];

/** A published limit as processes share it. */
export interface SharedBucket {
  /** The token, by a keyed hash, or what else the limit is for. */
  readonly scope: string;
  readonly bucket: string;
  /** So many requests may be under way or not older than the window. */
  readonly places: number;
  /** The minimum time for which a place is taken, from its grant. */
  readonly hold_ms: number;
}

/** Requests of this process that need the same buckets. */
export interface SharedQueue {
  readonly buckets: readonly SharedBucket[];
  readonly waiting: number;
}

/**
 * What a process says and asks in one exchange. It can be repeated after a lost answer, with a higher `turn`. The names
 * are those of the function in the database.
 */
export interface RateMessage {
  /** A UUID. */
  readonly run: string;
  /** Only grows. A message that arrives after a later one has no effect. */
  readonly turn: number;
  /** The rank of its urgency; 0 comes first. */
  readonly urgency: number;
  /** The scopes of all buckets that this process has used. */
  readonly scopes: readonly string[];
  /** The first number for new grants. Grants from this number on were not heard of, and so not used. */
  readonly first: number;
  /** Grants of requests that were answered, and how long ago. */
  readonly answered: readonly { readonly number: number; readonly ago_ms: number }[];
  /** Grants that will not be used. */
  readonly unused: readonly number[];
  /** Buckets of which the service said that they are too fast. */
  readonly blocked: readonly { readonly scope: string; readonly bucket: string; readonly ms: number }[];
  readonly queues: readonly SharedQueue[];
  /** One place in `queues` for each grant that is asked for, in the order of asking. */
  readonly asks: readonly number[];
  /** True for the last message of a process. */
  readonly leaves: boolean;
}

/** The right to send one request of a queue. */
export interface RateGrant {
  /** The place of its queue in the message. */
  readonly queue: number;
  readonly number: number;
  /** It begins so many milliseconds after the answer was made. */
  readonly in_ms: number;
}

export interface RateAnswer {
  readonly granted: readonly RateGrant[];
  /** When to ask again for what was not granted; null if everything was. */
  readonly again_ms: number | null;
}

/** Where processes with the same token agree on who may send when. */
export interface RateStore {
  /** Sends a message once. Rejects if the place cannot be reached. */
  exchange(message: RateMessage): Promise<RateAnswer>;
  /** Calls `leave` before the connection to the place ends. */
  beforeClose(leave: () => Promise<void>): void;
}
