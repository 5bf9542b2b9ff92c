import { compactJson } from './json.ts';
import { timesInFields, timeWords, type Zone } from './time-words.ts';
import { durationWords, intervalWords, priceWords } from './unit-words.ts';

type Words = (value: unknown, zone: Zone) => string | null;

/** Values by the last name of their path, for people. Anything unexpected is shown as JSON. */
const BY_NAME: Readonly<Record<string, Words>> = {
  price_gross: (value) => (typeof value === 'number' ? priceWords(value) : null),
  delay_sec: duration,
  unsend_delay_sec: duration,
  send_after_expire_min: minutes,
  send_before_expire_min: minutes,
  retry_after_unsend_min: minutes,
  min_sec: duration,
  range_sec: duration,
  send_delay_interval: interval,
  scheduled_at: time,
  end_at: time,
  from_at: time,
  to_at: time,
  trigger: word,
  action: word,
  online_check_mode: word,
  attachments: word,
  audience: filters,
  audience_filters: filters,
};

/**
 * A value of a field as people say it: `$14.50`, `30-90 s`, `2 days`, a time with its zone. Null if JSON says it as
 * well.
 */
export function valueWords(path: string, value: unknown, zone: Zone): string | null {
  const name = /[a-z_]+$/.exec(path)?.[0] ?? '';
  return Object.hasOwn(BY_NAME, name) ? (BY_NAME[name]?.(value, zone) ?? null) : null;
}

function duration(value: unknown): string | null {
  return typeof value === 'number' && value >= 0 && Number.isSafeInteger(value) ? durationWords(value) : null;
}

function minutes(value: unknown): string | null {
  return typeof value === 'number' ? duration(60 * value) : null;
}

/** `{ min_sec: 30, range_sec: 60 }` is a delay from 30 to 90 seconds. */
function interval(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { min_sec: min, range_sec: range = 0, ...others } = value as Readonly<Record<string, unknown>>;
  if (typeof min !== 'number' || typeof range !== 'number' || Object.keys(others).length > 0) return null;
  return Number.isSafeInteger(min) && Number.isSafeInteger(range) && min >= 0 && range >= 0
    ? intervalWords(min, min + range)
    : null;
}

function time(value: unknown, zone: Zone): string | null {
  return typeof value === 'string' ? timeWords(value, zone) : null;
}

/** A word of the service, such as a trigger. */
function word(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && !value.includes('"') ? value : null;
}

/** One filter per line if there are several. */
function filters(value: unknown, zone: Zone): string | null {
  if (typeof value === 'string') return timesInFields(value, zone);
  if (!Array.isArray(value) || value.length === 0) return null;
  return value
    .map((filter: unknown) =>
      typeof filter === 'string' ? timesInFields(filter, zone) : compactJson(filter),
    )
    .join('\n');
}
