const FULL = /^(\d{4})-(\d{2})-(\d{2})[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:?\d{2})$/;

/**
 * An ISO 8601 date-time with Z or a numeric offset, in milliseconds; null for any other text. `Date.parse` alone reads
 * a time without a zone in the zone of this machine, a day as its midnight in UTC, and 30 February as a day in March.
 */
export function fullInstantMs(text: string | null | undefined): number | null {
  const match = FULL.exec(text ?? '');
  if (match === null || !isCalendarDay(match)) return null;
  const ms = Date.parse(match[0].replace(' ', 'T').toUpperCase());
  return Number.isNaN(ms) ? null : ms;
}

function isCalendarDay([, year, month, day]: RegExpExecArray): boolean {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}
