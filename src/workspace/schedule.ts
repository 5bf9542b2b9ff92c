import * as Calendars from 'temporal-polyfill/fns/Calendar';
import * as Instants from 'temporal-polyfill/fns/Instant';
import * as PlainDateTimes from 'temporal-polyfill/fns/PlainDateTime';
import * as ZonedDateTimes from 'temporal-polyfill/fns/ZonedDateTime';
import type { DiagnosticCode } from '../domain/codes.ts';
import { isZone, notAZone } from '../policy/zone.ts';
import type { WrittenBroadcast, WrittenCampaign } from './schema.ts';
import { didYouMean } from './suggest.ts';

/*
 * Wall clocks become UTC here, because the service ignores an offset in the value and reads it on
 * the clock of the mode, which is always sent as UTC (BROADCAST-4).
 *
 *   written        | zone given                         | no zone
 *   ---------------|------------------------------------|-----------------
 *   wall clock     | that hour there; gap, overlap: no  | zone is missing
 *   with Z, offset | must be that zone's offset then    | converted
 */

export type Hour =
  | {
      readonly kind: 'hour';
      readonly utc: string;
      /** It is between two hours of UTC. */
      readonly isPart?: true;
    }
  | {
      readonly kind: 'refused';
      readonly code: DiagnosticCode;
      readonly message: string;
    };

/** Years of this millennium only, so that a typo in the year is found. */
const WRITTEN =
  /^(2\d{3}-\d\d-\d\dT\d\d:[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;

const WHOLE_HOUR = /T\d\d:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:\d\d)?$/;

const HOUR_MS = 3_600_000;

/** Time zone lookups are slow, and rules and expansion both need the result. */
const hours = new WeakMap<WrittenBroadcast, Hour>();

/** The scheduled hour. Undefined if it is not written. */
export function scheduledHour(written: WrittenBroadcast): Hour | undefined {
  const { scheduled_at: at, scheduled_at_timezone: zone } = written;
  if (at === undefined) return undefined;
  const hour = hours.get(written) ?? resolveHour(at, zone);
  hours.set(written, hour);
  return hour;
}

/** The written end: any time, or a whole hour with `resolveHour`. Undefined if it is missing or null. */
export function writtenEnd(
  rules: WrittenCampaign['rules'] | WrittenBroadcast['rules'],
  resolve = resolveTime,
): Hour | undefined {
  const { end_at: at, end_at_timezone: zone } = rules ?? {};
  if (typeof at !== 'string') return undefined;
  return resolve(at, zone);
}

/** Resolves a written time to a whole hour, in UTC or on the clock of its zone (BROADCAST-5). */
export function resolveHour(written: string, zone: string | undefined): Hour {
  const time = resolveTime(written, zone);
  const isWholeThere = zone !== undefined && WHOLE_HOUR.test(written);
  if (time.kind === 'refused' || time.isPart !== true || isWholeThere) return time;
  const message = `The service accepts only whole hours in UTC, and this is ${time.utc}. Write an hour before or after it.`;
  return refuse('not-whole-hour', message);
}

/** Resolves a written time to UTC, on a whole hour or not. */
export function resolveTime(written: string, zone: string | undefined): Hour {
  const [, clock, offset] = WRITTEN.exec(written) ?? [];
  const wall = clock === undefined ? null : plainDateTime(clock);
  if (wall === null)
    return refuse('invalid-time', `"${written}" is not a date and time. Write it as "2030-11-05T18:00".`);
  if (zone !== undefined && !isZone(zone))
    return refuse(
      'unknown-timezone',
      `${notAZone(zone)}${didYouMean(zone, Intl.supportedValuesOf('timeZone'))}`,
    );
  if (zone === undefined) {
    if (offset === undefined) {
      return refuse('timezone-missing', 'The time has no time zone.');
    }
    return inUtc(PlainDateTimes.toZonedDateTime(wall, offset === 'Z' ? 'UTC' : offset));
  }
  return offset === undefined ? onWallClock(wall, zone) : withOffset(wall, offset, zone);
}

/** An instant as local time of a zone, with its offset if the time occurs twice. Null if it is not on a whole hour. */
export function wallClockIn(zone: string, instant: string): string | null {
  const ms = Date.parse(instant);
  if (!isZone(zone) || Number.isNaN(ms)) return null;
  const at = Instants.toZonedDateTimeISO(Instants.fromEpochMilliseconds(ms), zone);
  const isThis = (written: string) => {
    const hour = resolveHour(written, zone);
    return hour.kind === 'hour' && Date.parse(hour.utc) === ms;
  };
  return [minutes(at), minutes(at) + ZonedDateTimes.offset(at)].find(isThis) ?? null;
}

function plainDateTime(clock: string): PlainDateTimes.Record | null {
  try {
    return PlainDateTimes.fromString(clock, Calendars.getISO);
  } catch {
    return null;
  }
}

function onWallClock(wall: PlainDateTimes.Record, zone: string): Hour {
  const earlier = PlainDateTimes.toZonedDateTime(wall, zone, { disambiguation: 'earlier' });
  const later = PlainDateTimes.toZonedDateTime(wall, zone, { disambiguation: 'later' });
  if (earlier.epochMilliseconds === later.epochMilliseconds) return inUtc(earlier);
  const [first, second] = [minutes(earlier), minutes(later)];
  if (PlainDateTimes.equals(ZonedDateTimes.toPlainDateTime(earlier), wall))
    return refuse(
      'schedule-overlap',
      `This time occurs twice in ${zone}. Add the offset: ${first}${ZonedDateTimes.offset(earlier)} or ${second}${ZonedDateTimes.offset(later)}.`,
    );
  return refuse(
    'schedule-gap',
    `This time does not exist in ${zone}, because the clocks skip it. Write "${first}" or "${second}".`,
  );
}

function withOffset(wall: PlainDateTimes.Record, offset: string, zone: string): Hour {
  const instant = ZonedDateTimes.toInstant(
    PlainDateTimes.toZonedDateTime(wall, offset === 'Z' ? 'UTC' : offset),
  );
  const there = Instants.toZonedDateTimeISO(instant, zone);
  if (PlainDateTimes.equals(ZonedDateTimes.toPlainDateTime(there), wall)) return inUtc(there);
  return refuse(
    'offset-contradicts-timezone',
    `"${offset}" is not the offset of ${zone} at this time, which is ${ZonedDateTimes.offset(there)}. Remove the offset or the zone.`,
  );
}

/** Broadcasts take only whole hours in UTC (BROADCAST-5). */
function inUtc(at: ZonedDateTimes.Record): Hour {
  const exact = Instants.toString(ZonedDateTimes.toInstant(at));
  const isPart = at.epochNanoseconds % BigInt(HOUR_MS * 1_000_000) !== 0n;
  return isPart ? { kind: 'hour', utc: exact, isPart } : { kind: 'hour', utc: `${exact.slice(0, 16)}:00Z` };
}

function minutes(at: ZonedDateTimes.Record): string {
  return PlainDateTimes.toString(ZonedDateTimes.toPlainDateTime(at), { smallestUnit: 'minute' });
}

function refuse(code: DiagnosticCode, message: string): Hour {
  return { kind: 'refused', code, message };
}
