/**
 * The longest time between the check of the lease and the send of a request that changes something. Later, the request
 * is not sent, so a lease with so much time left covers it.
 */
export const LEAVES_WITHIN_MS = 5_000;

/** Thrown while another run has the lease; `holder` says which, as far as it is known. */
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
