import { HeraldError } from '../domain/herald-error.ts';
import { fullInstantMs } from '../domain/time.ts';

/** The ends of a range, as written, or read as UTC instants with milliseconds, as the service takes them (READ-2). */
export interface TimeRange {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

const DAY_MS = 86_400_000;

export const DEFAULT_RANGE_DAYS = 30;

/**
 * The ends of a range that were given. With `isRequired`, both: the default ends now, and begins 30 days before its end. A range
 * without an end goes on to `lastMs`. Throws `bad-flag`.
 */
export function readRange(
  { from, to }: TimeRange,
  nowMs: number,
  { isRequired = false, lastMs = nowMs } = {},
): TimeRange {
  const defaultTo = isRequired ? nowMs : null;
  const toMs = to === undefined ? defaultTo : readEnd('--to', to, nowMs);
  const defaultFrom = isRequired ? (toMs ?? nowMs) - DEFAULT_RANGE_DAYS * DAY_MS : null;
  const fromMs = from === undefined ? defaultFrom : readEnd('--from', from, nowMs);
  const endMs = toMs ?? lastMs;
  if (fromMs !== null && fromMs >= endMs)
    throw new HeraldError(
      'bad-flag',
      `The range is empty: --from (${toInstant(fromMs)}) is not before --to (${toInstant(endMs)}).`,
    );
  return {
    from: fromMs === null ? undefined : toInstant(fromMs),
    to: toMs === null ? undefined : toInstant(toMs),
  };
}

/** An instant before now, for a flag such as `--since`. `hint` is for a value that cannot be read. Throws `bad-flag`. */
export function readPast(flag: string, text: string, nowMs: number, hint: string | null = null): string {
  const ms = readEnd(flag, text, nowMs, hint);
  if (ms < nowMs) return toInstant(ms);
  throw new HeraldError('bad-flag', `${flag} ${text} is not before now.`, hint);
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const LOCAL = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/;
const AGO = /^(\d{1,5})([wdhm])$/;

const AGO_UNITS_MS = { w: 7 * DAY_MS, d: DAY_MS, h: 3_600_000, m: 60_000 } as const;

/**
 * | written              | --from            | --to                        |
 * |----------------------|-------------------|-----------------------------|
 * | `2026-11-01`         | midnight UTC      | the last millisecond of it  |
 * | an instant           | as it is          | as it is                    |
 * | `30d` `12h` `2w` `5m`| so long before now| so long before now          |
 */
function readEnd(flag: string, text: string, nowMs: number, hint: string | null = null): number {
  const ms = readDate(flag, text) ?? fullInstantMs(text) ?? readAgo(text, nowMs);
  if (ms !== null) return ms;
  const howTo = LOCAL.test(text)
    ? 'The time has no zone. Add Z for UTC, or an offset such as +02:00'
    : 'Use a date (2026-11-01), a time (`2026-11-01T08:00:00Z`) or an age (30d, 12h, 2w)';
  throw new HeraldError('bad-flag', `Cannot read "${flag} ${text}". ${howTo}.`, hint);
}

function readDate(flag: string, text: string): number | null {
  const midnightMs = DATE.test(text) ? fullInstantMs(`${text}T00:00:00Z`) : null;
  if (midnightMs === null || flag !== '--to') return midnightMs;
  // Assumed: the end may be exclusive (READ-2). No row has the millisecond after it.
  return midnightMs + DAY_MS - 1;
}

function readAgo(text: string, nowMs: number): number | null {
  const [, amount = '', unit = ''] = AGO.exec(text) ?? [];
  if (unit !== 'w' && unit !== 'd' && unit !== 'h' && unit !== 'm') return null;
  return nowMs - Number(amount) * AGO_UNITS_MS[unit];
}

function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}
