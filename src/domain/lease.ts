/**
 * The longest time between the check of the lease and the send of a request that changes something. Later, the request
 * is not sent, so a lease with so much time left covers it.
 */
export const LEAVES_WITHIN_MS = 5_000;

/** The right to change something in a workspace. One run has it at a time. */
export interface Leases {
  /** Takes the lease. Rejects with `LockHeldError` while another run has it. */
  take(): Promise<Lease>;
  /** The run that has the lease, without taking it; null if no run has it. */
  holder(): Promise<LockHolder | null>;
  /** The lease as it is on record, also one that its holder has left behind; null if there is none. */
  record(): Promise<LeaseRecord | null>;
  /** Ends that lease, so that its holder can write nothing more. False if it is not on record any more. */
  end(record: LeaseRecord): Promise<boolean>;
}

/** A lease, whether its holder still runs or not. */
export interface LeaseRecord extends LockHolder {
  /** Tells it from every other lease. */
  readonly id: string;
  /** When it was taken, ISO 8601 in UTC; null if that is not known. */
  readonly since: string | null;
  /** When it ends unless it is renewed, by the clock of the database; null for a lock, which has no end. */
  readonly until: string | null;
}

/** A lease that this run has. */
export interface Lease {
  /** Why another run may have the lease by now, so that this one must send nothing more; null while it is its own. */
  lost(): Promise<string | null>;
  release(): Promise<void>;
}

export interface LockHolder {
  /** Who it is, as far as it is known, and what to do about it. */
  readonly words: string;
  /**
   * A dead one is replaced by the next run that needs the lock; one that is perhaps dead, once that run has looked for a
   * while whether it still refreshes the lock.
   */
  readonly life: 'alive' | 'dead' | 'perhaps_dead';
}

/** Thrown by `Leases.take`; `holder` says who has the lease, as far as it is known. */
export class LockHeldError extends Error {
  override readonly name = 'LockHeldError';
  readonly path: string;
  readonly holder: string;
  /** How long this run has waited for it. */
  readonly waitedMs: number;
  constructor(path: string, holder: string, waitedMs = 0) {
    super(`${path} is locked by ${holder}`);
    this.path = path;
    this.holder = holder;
    this.waitedMs = waitedMs;
  }
}
