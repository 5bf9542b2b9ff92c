import * as Calendars from 'temporal-polyfill/fns/Calendar';
import * as Instants from 'temporal-polyfill/fns/Instant';
import * as PlainDateTimes from 'temporal-polyfill/fns/PlainDateTime';
import * as ZonedDateTimes from 'temporal-polyfill/fns/ZonedDateTime';
import type { DiagnosticCode } from '../domain/codes.ts';
import { readMember } from '../domain/field-path.ts';
import { judgeZone } from '../policy/zone.ts';
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

export type Time =
  | { readonly kind: 'time'; readonly utc: string }
  | { readonly kind: 'refused'; readonly code: DiagnosticCode; readonly message: string };

/** Years of this millennium only, so that a typo in the year is found. */
const WRITTEN =
  /^(2\d{3}-\d\d-\d\dT\d\d:[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;

const HOUR_MS = 3_600_000;

/** Time zone lookups are slow, and rules and expansion both need the result. No value has both keys. */
const resolved = new WeakMap<object, Time>();

/** The time at a key, in the zone next to it. Undefined if it is missing or null. */
export function resolveKey(values: object | undefined, key: 'scheduled_at' | 'end_at'): Time | undefined {
  const [at, zone] = [readMember(values, key), readMember(values, `${key}_timezone`)];
  if (values === undefined || typeof at !== 'string') return undefined;
  const time = resolved.get(values) ?? resolveTime(at, typeof zone === 'string' ? zone : undefined);
  resolved.set(values, time);
  return time;
}

function resolveTime(written: string, zone: string | undefined): Time {
  const [, clock, offset] = WRITTEN.exec(written) ?? [];
  const wall = clock === undefined ? null : plainDateTime(clock);
  if (wall === null)
    return refuse('invalid-time', `"${written}" is not a date and time. Write it as "2030-11-05T18:00".`);
  const problem = zone === undefined ? null : judgeZone(zone);
  if (zone !== undefined && problem?.code === 'unknown-timezone')
    return refuse(problem.code, problem.message + didYouMean(zone, Intl.supportedValuesOf('timeZone')));
  if (zone === undefined) {
    if (offset === undefined) return refuse('timezone-missing', 'The time has no time zone.');
    return inUtc(PlainDateTimes.toZonedDateTime(wall, offset === 'Z' ? 'UTC' : offset));
  }
  return offset === undefined ? onWallClock(wall, zone) : withOffset(wall, offset, zone);
}

/** An instant as local time of a zone, with its offset if the time occurs twice. Null if it is not a whole hour, there or in UTC. */
export function wallClockIn(zone: string, instant: string): string | null {
  const ms = Date.parse(instant);
  if (judgeZone(zone)?.code === 'unknown-timezone' || Number.isNaN(ms)) return null;
  const at = Instants.toZonedDateTimeISO(Instants.fromEpochMilliseconds(ms), zone);
  if (!minutes(at).endsWith(':00') && ms % HOUR_MS !== 0) return null;
  const isThis = (written: string) => {
    const time = resolveTime(written, zone);
    return time.kind === 'time' && Date.parse(time.utc) === ms;
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

function onWallClock(wall: PlainDateTimes.Record, zone: string): Time {
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

function withOffset(wall: PlainDateTimes.Record, offset: string, zone: string): Time {
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

function inUtc(at: ZonedDateTimes.Record): Time {
  return { kind: 'time', utc: Instants.toString(ZonedDateTimes.toInstant(at)) };
}

function minutes(at: ZonedDateTimes.Record): string {
  return PlainDateTimes.toString(ZonedDateTimes.toPlainDateTime(at), { smallestUnit: 'minute' });
}

function refuse(code: DiagnosticCode, message: string): Time {
  return { kind: 'refused', code, message };
}
