/** A name for one run: sortable by time, distinct between machines. `random` is from 0 to 1. */
export function newRunId(nowMs: number, random: () => number): string {
  // Eight digits; random UUIDs would load a library of ciphers.
  const chance = random().toString(16).slice(2, 10).padEnd(8, '0');
  return `${new Date(nowMs).toISOString().replace(/[-:.]/g, '')}-${chance}`;
}
