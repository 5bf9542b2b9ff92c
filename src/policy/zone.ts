import * as Instants from 'temporal-polyfill/fns/Instant';
import * as z from 'zod/mini';
import type { Diagnostic } from '../domain/diagnostic.ts';
import { withCode } from '../domain/value-shapes.ts';

export const ZONE_HELP = 'The IANA zone, for instance Europe/Berlin.';

export const zoneShape = z.string().check(
  z.refine(isZone, {
    error: ({ input }) => withCode('unknown-timezone', judgeZone(String(input))?.message ?? ''),
  }),
);

function isZone(name: string): boolean {
  // A plain offset has no name in the time zone database, and no summer time.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false;
  try {
    Instants.toZonedDateTimeISO(Instants.fromEpochMilliseconds(0), name);
    return true;
  } catch {
    return false;
  }
}

/** Standard time all year, which people write for the zone of a city. */
const STANDARD_TIMES: Readonly<Record<string, string>> = {
  EST: 'America/New_York',
  HST: 'Pacific/Honolulu',
  MST: 'America/Denver',
};

/** What speaks against a zone: this machine does not know it, or it has no daylight saving time, which people rarely mean. */
export function judgeZone(zone: string): Pick<Diagnostic, 'code' | 'message'> | null {
  if (!isZone(zone)) {
    const message = `"${zone}" is not an IANA time zone. Use a name such as Europe/Berlin.`;
    return { code: 'unknown-timezone', message };
  }
  const [, sign, hours] = /^Etc\/GMT([+-])(\d+)$/i.exec(zone) ?? [];
  if (sign !== undefined && Number(hours) > 0) {
    const offset = `UTC${sign === '+' ? '-' : '+'}${hours}`;
    const message = `${zone} is ${offset}: the sign in such a name is the other way round. It has no daylight saving time. Write a name such as Europe/Berlin.`;
    return { code: 'fixed-zone', message };
  }
  const city = STANDARD_TIMES[zone.toUpperCase()];
  if (city === undefined) return null;
  const message = `${zone} is standard time all year, also in summer. For the local time, write ${city}.`;
  return { code: 'fixed-zone', message };
}
