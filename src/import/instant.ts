/** Shortens an instant on a full minute, `2030-11-05T18:00Z`. Other texts are unchanged, and the loader checks them. */
export function writtenInstant(instant: string): string {
  const ms = Date.parse(instant);
  if (Number.isNaN(ms) || ms % 60_000 !== 0) return instant;
  return `${new Date(ms).toISOString().slice(0, 16)}Z`;
}

/** Removes a fraction of zero: `2030-11-05T18:00:00.000Z` becomes `2030-11-05T18:00:00Z`. Other texts are unchanged. */
export function withoutZeroFraction(instant: string): string {
  return instant.replace(/\.0+(?=Z$)/, '');
}
