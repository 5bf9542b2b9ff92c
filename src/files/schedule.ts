import { Temporal } from 'temporal-polyfill';

/*
 * Wall clocks become UTC here, because the service ignores an offset in the value and reads it on
 * the clock of the mode, which is always sent as UTC (service-api.md, Schedule rules).
 *
 *   written        | zone given                         | no zone
 *   ---------------|------------------------------------|-----------------
 *   wall clock     | that hour there; gap, overlap: no  | zone is missing
 *   with Z, offset | must be that zone's offset then    | converted
 */

export type Hour =
  | { readonly kind: 'hour'; readonly utc: string }
  | {
      readonly kind: 'refused';
      readonly about: 'time' | 'zone';
      readonly code: string;
      readonly message: string;
    };

/** Years of this millennium only: a slip of the finger in the year shows. */
const WRITTEN =
  /^(2\d{3}-\d\d-\d\dT\d\d:[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;

/** A name of the time zone database; a bare offset says nothing about summer time. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

const HOUR_MS = 3_600_000;

/** The whole UTC hour that a written time means. */
export function resolveHour(written: string, zone: string | undefined): Hour {
  const [, clock, offset] = WRITTEN.exec(written) ?? [];
  const wall = clock === undefined ? null : plainDateTime(clock);
  if (wall === null) {
    return refuse('time', 'invalid-time', `"${written}" is no date and time: write "2030-11-05T18:00".`);
  }
  if (zone !== undefined && !isZone(zone)) {
    return refuse(
      'zone',
      'unknown-timezone',
      `"${zone}" is no time zone: write its IANA name, such as Europe/Berlin.`,
    );
  }
  if (zone === undefined) {
    if (offset === undefined) {
      return refuse(
        'time',
        'timezone-missing',
        'Whose clock is meant? Name the time zone beside it, or end the time with Z.',
      );
    }
    return wholeHour(wall.toZonedDateTime(offset === 'Z' ? 'UTC' : offset));
  }
  return offset === undefined ? onWallClock(wall, zone) : withOffset(wall, offset, zone);
}

/** True for the name of a time zone that this machine knows. */
export function isZone(name: string): boolean {
  if (!ZONE_NAME.test(name)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

function plainDateTime(clock: string): Temporal.PlainDateTime | null {
  try {
    return Temporal.PlainDateTime.from(clock);
  } catch {
    return null;
  }
}

function onWallClock(wall: Temporal.PlainDateTime, zone: string): Hour {
  const earlier = wall.toZonedDateTime(zone, { disambiguation: 'earlier' });
  const later = wall.toZonedDateTime(zone, { disambiguation: 'later' });
  if (earlier.epochMilliseconds === later.epochMilliseconds) return wholeHour(earlier);
  const [first, second] = [minutes(earlier), minutes(later)];
  if (earlier.toPlainDateTime().equals(wall)) {
    return refuse(
      'time',
      'schedule-overlap',
      `The clocks of ${zone} show this time twice: add the offset, ${first}${earlier.offset} or ${second}${later.offset}.`,
    );
  }
  return refuse(
    'time',
    'schedule-gap',
    `The clocks of ${zone} jump over this time: it does not exist. Write "${first}" or "${second}".`,
  );
}

function withOffset(wall: Temporal.PlainDateTime, offset: string, zone: string): Hour {
  const instant = wall.toZonedDateTime(offset === 'Z' ? 'UTC' : offset).toInstant();
  const there = instant.toZonedDateTimeISO(zone);
  if (there.toPlainDateTime().equals(wall)) return wholeHour(there);
  return refuse(
    'time',
    'offset-contradicts-timezone',
    `"${offset}" is not the offset of ${zone} at this time (${there.offset} is): remove the offset or the zone.`,
  );
}

/** The service takes whole hours only, and it is the UTC hour that counts (rulebook 2.5.2). */
function wholeHour(at: Temporal.ZonedDateTime): Hour {
  const rest = at.toInstant().epochNanoseconds % BigInt(HOUR_MS * 1_000_000);
  if (rest === 0n) return { kind: 'hour', utc: `${at.toInstant().toString().slice(0, 16)}:00Z` };
  const floor = Math.floor(at.epochMilliseconds / HOUR_MS) * HOUR_MS;
  const [before, after] = [floor, floor + HOUR_MS].map((ms) => {
    const instant = Temporal.Instant.fromEpochMilliseconds(ms);
    const utc = `${instant.toString().slice(0, 16)}Z`;
    const local = `"${minutes(instant.toZonedDateTimeISO(at.timeZoneId))}"`;
    return at.timeZoneId === 'UTC' ? `"${utc}"` : `${local} (${utc})`;
  });
  return refuse(
    'time',
    'not-whole-hour',
    `This is no whole hour in UTC, which is all the service takes: write ${before} or ${after}.`,
  );
}

function minutes(at: Temporal.ZonedDateTime): string {
  return at.toPlainDateTime().toString({ smallestUnit: 'minute' });
}

function refuse(about: 'time' | 'zone', code: string, message: string): Hour {
  return { kind: 'refused', about, code, message };
}
