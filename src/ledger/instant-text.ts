/** A day before JavaScript's latest date, so that adding a settle window gives a valid date. */
const LATEST_MS = 8.64e15 - 86_400_000;

/** An instant in ISO 8601, UTC. Anyone may edit a ledger, so an impossible time must not stop the reader. */
export function instantText(ms: number): string {
  return Math.abs(ms) < LATEST_MS ? new Date(ms).toISOString() : 'no known time';
}

/** The nearest time that a date can hold, for calculations. */
export function knownInstant(ms: number): number {
  return Math.max(-LATEST_MS, Math.min(LATEST_MS, ms));
}

/** As Herald writes an instant: `2026-06-01T12:00:00.000Z`. */
const [MINUTE_LENGTH, LENGTH] = [17, 24];
/** The minute that was asked for last, and its first instant. */
let lastMinute = { text: '?', ms: Number.NaN };

/** What `Date.parse` says of an instant, at a tenth of its cost where the minute is that of the one before. */
export function instantOf(text: string): number {
  const seconds = digitsIn(text, 17, 2);
  const ms = digitsIn(text, 20, 3);
  const isUsual =
    text.length === LENGTH && seconds < 60 && ms < 1_000 && text[19] === '.' && text[23] === 'Z';
  if (!isUsual) return Date.parse(text);
  if (!text.startsWith(lastMinute.text)) {
    if (!hasMinute(text)) return Date.parse(text);
    const minute = text.slice(0, MINUTE_LENGTH);
    lastMinute = { text: minute, ms: Date.parse(`${minute}00.000Z`) };
  }
  return lastMinute.ms + seconds * 1_000 + ms;
}

function hasMinute(text: string): boolean {
  return (
    digitsIn(text, 11, 2) < 24 &&
    digitsIn(text, 14, 2) < 60 &&
    text[10] === 'T' &&
    text[13] === ':' &&
    text[16] === ':'
  );
}

const ZERO = 48;

/** Infinite if one of them is not a digit. */
function digitsIn(text: string, from: number, count: number): number {
  let number = 0;
  for (let place = from; place < from + count; place += 1) {
    const digit = text.charCodeAt(place) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.POSITIVE_INFINITY;
    number = number * 10 + digit;
  }
  return number;
}
