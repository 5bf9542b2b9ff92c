/** A day before the last instant that a date can name: whoever adds a window to it still has a date. */
const LATEST_MS = 8.64e15 - 86_400_000;

/** An instant in ISO 8601, UTC. A ledger is a file that anybody may edit: what is no instant must not stop a reader. */
export function instantText(ms: number): string {
  return Math.abs(ms) < LATEST_MS ? new Date(ms).toISOString() : 'no known time';
}

/** The same for whoever reckons with it: the nearest time that a date can name. */
export function knownInstant(ms: number): number {
  return Math.max(-LATEST_MS, Math.min(LATEST_MS, ms));
}
