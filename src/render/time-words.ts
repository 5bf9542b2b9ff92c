/** The time zone of a resource's times, or null if none is declared. */
export type Zone = string | null;

/** An instant in UTC, as the service writes it. */
const INSTANT = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?Z`;
const WHOLE = new RegExp(`^${INSTANT}$`);

/** An instant in a sentence. One in quotes or in a command is there to be copied, and stays. */
const IN_PROSE = new RegExp(String.raw`(?<![\w"'\`=/:.-])${INSTANT}(?![\w"'\`/-])`, 'g');
/** The same, also after the name of a field: `from_at=2026-05-01T00:00:00Z`. */
const IN_FIELDS = new RegExp(String.raw`(?<![\w"'\`/:.-])${INSTANT}(?![\w"'\`/-])`, 'g');

/** `Sun 6 Dec 2026 18:00 Europe/Berlin (17:00 UTC)`. Null if the text is not an instant. */
export function timeWords(text: string, zone: Zone): string | null {
  const ms = WHOLE.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) return null;
  const utc = clockIn('UTC', ms);
  const local = zone === null || zone === 'UTC' ? null : clockIn(zone, ms);
  if (local === null) return `${utc.day} ${utc.time} UTC`;
  const sameDay = local.day === utc.day;
  return `${local.day} ${local.time} ${zone} (${sameDay ? '' : `${utc.day} `}${utc.time} UTC)`;
}

/** A sentence with its times as people say them. */
export function timesInProse(text: string, zone: Zone): string {
  return text.replace(IN_PROSE, (instant) => timeWords(instant, zone) ?? instant);
}

/** The same for words such as `include subscribed_date from_at=2026-05-01T00:00:00Z`. */
export function timesInFields(text: string, zone: Zone): string {
  return text.replace(IN_FIELDS, (instant) => timeWords(instant, zone) ?? instant);
}

interface ClockWords {
  /** `Sun 6 Dec 2026`. */
  readonly day: string;
  /** `18:00`, with seconds if there are any. */
  readonly time: string;
}

/** Cached, because making one takes longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function clockIn(zone: string, ms: number): ClockWords {
  const format = formats.get(zone) ?? formatIn(zone);
  formats.set(zone, format);
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  const seconds = part('second') === '00' ? '' : `:${part('second')}`;
  return {
    day: `${part('weekday')} ${part('day')} ${part('month')} ${part('year')}`,
    time: `${part('hour')}:${part('minute')}${seconds}`,
  };
}

function formatIn(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
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
}
