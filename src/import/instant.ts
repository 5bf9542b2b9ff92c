/** An instant on a minute as people write it, `2030-11-05T18:00Z`; anything else as it came, for the loader to judge. */
export function writtenInstant(instant: string): string {
  const ms = Date.parse(instant);
  if (Number.isNaN(ms) || ms % 60_000 !== 0) return instant;
  return `${new Date(ms).toISOString().slice(0, 16)}Z`;
}
