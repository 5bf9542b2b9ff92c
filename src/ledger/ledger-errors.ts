/** The ledger could not be written, so the request that it announces must not be sent. */
export class LedgerError extends Error {
  override readonly name: string = 'LedgerError';
  /** What to do next, as a sentence or a command. */
  readonly next: string;

  constructor(message: string, next = 'Make the file writable, then run the command again.') {
    super(message);
    this.next = next;
  }
}

/**
 * A request that waits longer than this after it was recorded, as after a 429, gets a new entry: by then, others may have
 * changed what it goes by.
 */
export const FRESH_MS = 5_000;

/** Another run may have the lease by now, so nothing more may be sent. */
export class LockLostError extends LedgerError {
  override readonly name = 'LockLostError';
}

/** Another run's request for the same came into the ledger, and may have been carried out. */
export class OthersRequestError extends LedgerError {
  override readonly name = 'OthersRequestError';

  constructor(message: string) {
    super(message, 'Run the command again.');
  }
}
