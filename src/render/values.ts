import type { ListColumn } from '../domain/list-column.ts';
import { formatAddress, type Address } from '../domain/resource.ts';
import { formatInstant, fullInstantMs } from '../domain/time.ts';
import { compactJson } from './json.ts';

/** The time zone of a resource's times, or null if none is declared. */
export type Zone = string | null;

/** Declared time zones, by address (`alice/broadcast/Teaser`). */
export type Zones = ReadonlyMap<string, string>;

export const NO_ZONES: Zones = new Map();

/** The zone of these changes. Null if they have none, or not the same. */
export function findZone(changes: readonly { readonly address: Address }[], zones: Zones): Zone {
  const found = new Set(changes.map(({ address }) => zones.get(formatAddress(address)) ?? null));
  const [zone = null] = found;
  return found.size === 1 ? zone : null;
}

const BYTE_UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A size as text: `512 bytes`, `4.2 MiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < BYTE_UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${BYTE_UNITS[unit] ?? ''}`;
}

const TIME_UNITS = [
  { seconds: 86_400, one: 'day', many: 'days' },
  { seconds: 3_600, one: 'h', many: 'h' },
  { seconds: 60, one: 'min', many: 'min' },
  { seconds: 1, one: 's', many: 's' },
] as const;

/** Up to this many seconds, seconds are what people say: `90 s`. */
const SECONDS_MAX = 120;

/** `90 s`, `5 min`, `2 days`, `1 day 6 h`. Never rounded. */
export function formatDuration(seconds: number): string {
  if (seconds === 0 || (seconds < SECONDS_MAX && seconds % 60 !== 0)) return `${seconds} s`;
  let rest = seconds;
  const parts = TIME_UNITS.map((unit) => {
    const number = Math.floor(rest / unit.seconds);
    rest -= number * unit.seconds;
    return number === 0 ? '' : `${number} ${number === 1 ? unit.one : unit.many}`;
  });
  return parts.filter((part) => part !== '').join(' ');
}

/** `30-90 s`, or `30 s` for an interval without a range. */
function formatInterval(fromSec: number, toSec: number): string {
  if (fromSec === toSec) return formatDuration(fromSec);
  const unit = TIME_UNITS.find(({ seconds }) => {
    return fromSec > 0 && toSec > SECONDS_MAX && fromSec % seconds === 0 && toSec % seconds === 0;
  }) ?? { seconds: 1, many: 's' };
  return `${fromSec / unit.seconds}-${toSec / unit.seconds} ${unit.many}`;
}

/** `14.50`. More than two decimals are kept. */
function formatAmount(amount: number): string {
  const text = amount.toFixed(2);
  return Math.abs(Number(text) - amount) < 1e-9 ? text : String(amount);
}

/** `$14.50` */
export function formatPrice(dollars: number): string {
  return `$${formatAmount(dollars)}`;
}

/** An instant in UTC, as the service writes it. */
const INSTANT = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?Z`;
const WHOLE = new RegExp(`^${INSTANT}$`);

/** An instant in a sentence. One in quotes or in a command is there to be copied, and stays. */
const IN_PROSE = new RegExp(String.raw`(?<![\w"'\`=/:.-])${INSTANT}(?![\w"'\`/-])`, 'g');
/** An instant in an audience, where the name of a field is before it: `from_at=2026-05-01T00:00:00Z`. */
const IN_FIELDS = new RegExp(String.raw`(?<![\w"'\`/:.-])${INSTANT}(?![\w"'\`/-])`, 'g');

/** `Sun 6 Dec 2026 18:00 Europe/Berlin (17:00 UTC)`. Null if the text is not an instant. */
export function formatTime(text: string, zone: Zone): string | null {
  const ms = WHOLE.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) return null;
  const utc = readClock('UTC', ms);
  if (zone === null || zone === 'UTC') return `${utc.day} ${utc.time} UTC`;
  const local = readClock(zone, ms);
  return `${local.day} ${local.time} ${zone} (${local.day === utc.day ? '' : `${utc.day} `}${utc.time} UTC)`;
}

/** A sentence with its times as people say them. */
export function formatTimesIn(text: string, zone: Zone): string {
  return text.replace(IN_PROSE, (instant) => formatTime(instant, zone) ?? instant);
}

/** Cached, because making one takes longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** `Sun 6 Dec 2026` and `18:00`, with seconds if there are any. */
function readClock(zone: string, ms: number): { readonly day: string; readonly time: string } {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
  formats.set(zone, format);
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  const seconds = part('second') === '00' ? '' : `:${part('second')}`;
  return {
    day: `${part('weekday')} ${part('day')} ${part('month')} ${part('year')}`,
    time: `${part('hour')}:${part('minute')}${seconds}`,
  };
}

/** Values by the last name of their path, for people. Anything unexpected is shown as JSON. */
const BY_NAME: Readonly<Record<string, (value: unknown, zone: Zone) => string | null>> = {
  price_gross: (value) => (typeof value === 'number' ? formatPrice(value) : null),
  delay_sec: readDuration,
  unsend_delay_sec: readDuration,
  send_after_expire_min: readMinutes,
  send_before_expire_min: readMinutes,
  retry_after_unsend_min: readMinutes,
  min_sec: readDuration,
  range_sec: readDuration,
  send_delay_interval: readInterval,
  scheduled_at: readTime,
  end_at: readTime,
  from_at: readTime,
  to_at: readTime,
  trigger: readWord,
  action: readWord,
  online_check_mode: readWord,
  attachments: readWord,
  audience: readFilters,
  audience_filters: readFilters,
};

/** A value as people say it: `$14.50`, `30-90 s`, a time with its zone. Null if JSON says it as well. */
export function formatValue(path: string, value: unknown, zone: Zone): string | null {
  const name = /[a-z_]+$/.exec(path)?.[0] ?? '';
  return Object.hasOwn(BY_NAME, name) ? (BY_NAME[name]?.(value, zone) ?? null) : null;
}

function readDuration(value: unknown): string | null {
  return typeof value === 'number' && value >= 0 && Number.isSafeInteger(value)
    ? formatDuration(value)
    : null;
}

function readMinutes(value: unknown): string | null {
  return typeof value === 'number' ? readDuration(60 * value) : null;
}

/** `{ min_sec: 30, range_sec: 60 }` is a delay from 30 to 90 seconds. */
function readInterval(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { min_sec: min, range_sec: range = 0, ...others } = value as Readonly<Record<string, unknown>>;
  if (readDuration(min) === null || readDuration(range) === null || Object.keys(others).length > 0)
    return null;
  return formatInterval(Number(min), Number(min) + Number(range));
}

function readTime(value: unknown, zone: Zone): string | null {
  return typeof value === 'string' ? formatTime(value, zone) : null;
}

/** A word of the service, such as a trigger. */
function readWord(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && !value.includes('"') ? value : null;
}

/** One filter per line if there are several. */
function readFilters(value: unknown, zone: Zone): string | null {
  if (typeof value === 'string') return formatFilterTimes(value, zone);
  if (!Array.isArray(value)) return null;
  if (value.length === 0) return joinFilters(value);
  return value
    .map((one: unknown) => (typeof one === 'string' ? formatFilterTimes(one, zone) : compactJson(one)))
    .join('\n');
}

function formatFilterTimes(text: string, zone: Zone): string {
  return text.replace(IN_FIELDS, (instant) => formatTime(instant, zone) ?? instant);
}

/** Whom it reaches, with times as people say them. */
export function describeAudience(filters: readonly unknown[], zone: Zone): string {
  return formatFilterTimes(joinFilters(filters), zone);
}

/**
 * An audience on one line. No filters mean every fan (CONTENT-15). Only files have days-ago ranges and names of fan
 * lists: the service never returns them. `bare` is what to add to a filter without any details.
 */
function joinFilters(filters: readonly unknown[], bare = ''): string {
  return filters.length === 0 ? 'everyone' : filters.map((filter) => describeFilter(filter, bare)).join('; ');
}

/** `include subscribed_date from 2026-05-01T00:00:00Z` */
function describeFilter(filter: unknown, bare: string): string {
  if (typeof filter !== 'object' || filter === null) return compactJson(filter);
  const { mode, kind, options } = filter as Readonly<Record<string, unknown>>;
  const details = describeOptions(options);
  const named = (value: unknown, word: string) =>
    typeof value === 'string' && value !== '' ? value : `unnamed ${word}`;
  const words = [named(mode, 'mode'), named(kind, 'kind'), ...details].join(' ');
  return details.length === 0 ? words + bare : words;
}

function describeOptions(options: unknown): readonly string[] {
  if (typeof options !== 'object' || options === null) return [];
  const {
    from_at: fromAt,
    to_at: toAt,
    from_days: fromDays,
    to_days: toDays,
    lists,
    ...others
  } = options as Readonly<Record<string, unknown>>;
  return [
    ...(typeof fromDays === 'number' ? [`from ${describeDaysAgo(fromDays)}`] : []),
    ...(typeof toDays === 'number' ? [`to ${describeDaysAgo(toDays)}`] : []),
    ...(typeof fromAt === 'string' ? [`from ${fromAt}`] : []),
    ...(typeof toAt === 'string' ? [`to ${toAt}`] : []),
    ...(Array.isArray(lists) && lists.length > 0 ? [`in ${lists.map(describeList).join(' + ')}`] : []),
    ...Object.entries(others).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [`${name} ${compactJson(value)}`],
    ),
  ];
}

function describeDaysAgo(days: number): string {
  return days === 0 ? 'today' : `${formatDuration(86_400 * days)} ago`;
}

function describeList(list: unknown): string {
  if (typeof list !== 'object' || list === null) return typeof list === 'string' ? list : compactJson(list);
  const { id, name } = list as Readonly<Record<string, unknown>>;
  // In quotes, because a name could go on like another filter.
  const named = typeof name === 'string' ? compactJson(name) : '';
  if (typeof id !== 'string') return named || compactJson(list);
  return named === '' ? `list ${id}` : `${named} (${id})`;
}

/** A value in a cell of a table. A value of an unexpected type is shown unchanged. */
export function cellText(value: unknown, { as = 'text', none = 'n/a', zero }: ListColumn): string {
  if (value === null || value === undefined) return none;
  if (value === 0 && zero !== undefined) return zero;
  if (as === 'money' && typeof value === 'number') return formatAmount(value);
  const ms = as === 'instant' && typeof value === 'string' ? fullInstantMs(value) : null;
  // UTC to the second: JSON and CSV have the rest. Other texts are shown unchanged (READ-7).
  if (ms !== null) return formatInstant(ms);
  if (as === 'flag' && typeof value === 'boolean') return value ? 'yes' : 'no';
  if (as === 'audience' && Array.isArray(value)) return joinFilters(value, ' (the service returns no more)');
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object')) return value.join(', ');
  return compactJson(value);
}
