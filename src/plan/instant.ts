/** Ten days before the last instant that a date can name, so that a window can be added. */
const LATEST_MS = 8.64e15 - 10 * 86_400_000;

/** False for a time that a damaged ledger may have, and no date can express. */
export function isInstant(ms: number | null): ms is number {
  return ms !== null && Math.abs(ms) < LATEST_MS;
}

/** An instant to the second: `2026-06-01T12:00:00Z`. */
export function instant(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
