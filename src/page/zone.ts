/* Days, clock changes and quiet hours in a time zone. */

/** A moment as a clock on the wall shows it. */
export interface Local {
  /** `2026-03-29`. */
  readonly key: string;
  readonly weekday: string;
  readonly day: string;
  readonly month: string;
  readonly year: string;
  /** `18:00`. */
  readonly clock: string;
  /** Since midnight on that clock. */
  readonly minutes: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
const QUARTER_MIN = 15;

/** Cached, because making one takes longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

export function localIn(zone: string, ms: number): Local {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  formats.set(zone, format);
  const part: Record<string, string> = {};
  for (const { type, value } of format.formatToParts(ms)) part[type] = value;
  const { weekday = '', day = '', year = '', hour = '', minute = '' } = part;
  // Some versions say "Sept".
  const month = (part['month'] ?? '').slice(0, 3);
  const number = String(MONTHS.indexOf(month) + 1).padStart(2, '0');
  return {
    key: `${year.padStart(4, '0')}-${number}-${day.padStart(2, '0')}`,
    weekday,
    day,
    month,
    year,
    clock: `${hour}:${minute}`,
    minutes: Number(hour) * 60 + Number(minute),
  };
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A part of a day's row, in quarters of an hour since midnight. */
export interface Band {
  readonly from: number;
  readonly to: number;
  readonly kind: 'quiet' | 'gap';
}

export interface CalendarDay {
  readonly key: string;
  /** `Sun 29 Mar`, with the year if it is not that of the plan. */
  readonly label: string;
  readonly isMonday: boolean;
  readonly isWeekend: boolean;
  readonly bands: readonly Band[];
  /** What the clocks do on it: `+1 h`, or empty. */
  readonly change: string;
}

export interface QuietHours {
  readonly from: string;
  readonly to: string;
  readonly timezone: string;
}

export function calendarDay(
  zone: string,
  key: string,
  quiet: QuietHours | undefined,
  year: string,
): CalendarDay {
  const startMs = startOfDay(zone, key);
  const endMs = startOfDay(zone, nextKey(key));
  const { weekday, day, month, year: own } = localIn(zone, startMs);
  const change = clockChange(zone, startMs, endMs);
  return {
    key,
    label: `${weekday} ${day} ${month}${own === year ? '' : ` ${own}`}`,
    isMonday: weekday === 'Mon',
    isWeekend: weekday === 'Sat' || weekday === 'Sun',
    bands: [
      ...(quiet === undefined ? [] : quietBands(zone, startMs, endMs, quiet)),
      ...(change?.bands ?? []),
    ],
    change: change?.words ?? '',
  };
}

function nextKey(key: string): string {
  return new Date(Date.parse(`${key}T12:00Z`) + DAY_MS).toISOString().slice(0, 10);
}

/** The first moment with the date `key`. Dates only grow, so halving finds it. */
function startOfDay(zone: string, key: string): number {
  let low = Date.parse(`${key}T00:00Z`) / MINUTE_MS - 16 * 60;
  let high = low + 32 * 60;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (localIn(zone, middle * MINUTE_MS).key < key) low = middle + 1;
    else high = middle;
  }
  return low * MINUTE_MS;
}

/** Clock minus UTC. */
function offsetMin(zone: string, ms: number): number {
  const { key, minutes } = localIn(zone, ms);
  return Date.parse(`${key}T00:00Z`) / MINUTE_MS + minutes - Math.floor(ms / MINUTE_MS);
}

function clockChange(
  zone: string,
  startMs: number,
  endMs: number,
): { readonly bands: readonly Band[]; readonly words: string } | null {
  const [before, after] = [offsetMin(zone, startMs), offsetMin(zone, endMs)];
  const moved = after - before;
  if (moved === 0) return null;
  let [low, high] = [startMs / MINUTE_MS, endMs / MINUTE_MS];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMin(zone, middle * MINUTE_MS) === before) low = middle + 1;
    else high = middle;
  }
  const { minutes: onNewClock } = localIn(zone, low * MINUTE_MS);
  const [from, to] = moved > 0 ? [onNewClock - moved, onNewClock] : [onNewClock, onNewClock - moved];
  const hours = Math.abs(moved) / 60;
  return {
    bands: [{ from: from / QUARTER_MIN, to: to / QUARTER_MIN, kind: 'gap' }],
    words: `${moved > 0 ? '+' : '−'}${Number.isInteger(hours) ? `${hours} h` : `${Math.abs(moved)} min`}`,
  };
}

/** Quiet hours belong to their own zone, so each quarter of the day is looked at. */
function quietBands(zone: string, startMs: number, endMs: number, quiet: QuietHours): readonly Band[] {
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)];
  const bands: { from: number; to: number; kind: 'quiet' }[] = [];
  for (let ms = startMs; ms < endMs; ms += QUARTER_MIN * MINUTE_MS) {
    if (!isQuiet(localIn(quiet.timezone, ms).minutes, from, to)) continue;
    const quarter = Math.floor(localIn(zone, ms).minutes / QUARTER_MIN);
    const last = bands.at(-1);
    if (last !== undefined && last.to >= quarter && last.from <= quarter)
      last.to = Math.max(last.to, quarter + 1);
    else bands.push({ from: quarter, to: quarter + 1, kind: 'quiet' });
  }
  return bands;
}

/** `from` inclusive, `to` exclusive; they may cross midnight. */
export function isQuiet(minutes: number, from: number, to: number): boolean {
  return from > to ? minutes >= from || minutes < to : from <= minutes && minutes < to;
}

export function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Days of the calendar's window, in days. */
const WINDOW_DAYS = 14;

/**
 * The days to show: the next fourteen if there is something in them, and each later day with something. `times` may be
 * in any order.
 */
export function calendarKeys(zone: string, plannedMs: number, times: readonly number[]): readonly string[] {
  const first = localIn(zone, plannedMs).key;
  const window: string[] = [first];
  while (window.length < WINDOW_DAYS) window.push(nextKey(window.at(-1) ?? first));
  const used = new Set(times.map((ms) => localIn(zone, ms).key));
  const later = [...used].filter((key) => key > (window.at(-1) ?? first)).toSorted();
  return [...(window.some((key) => used.has(key)) ? window : []), ...later];
}

/** The quarter of an hour of a time, for its place in the row. */
export function quarterOf({ minutes }: Local): number {
  return Math.floor(minutes / QUARTER_MIN);
}

/** From this quarter of the day on, an entry grows to the left. */
export const LATE_QUARTER = 56;
