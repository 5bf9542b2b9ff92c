import * as Instants from 'temporal-polyfill/fns/Instant';

/** A name of the time zone database; a bare offset does not tell when summer time begins. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

/** True for the name of a time zone that this machine knows. */
export function isZone(name: string): boolean {
  if (!ZONE_NAME.test(name)) return false;
  try {
    Instants.toZonedDateTimeISO(Instants.fromEpochMilliseconds(0), name);
    return true;
  } catch {
    return false;
  }
}

/** The message about a text that should name a time zone, and does not (`unknown-timezone`). */
export function notAZone(text: string): string {
  return `"${text}" is no time zone: write its IANA name, such as Europe/Berlin.`;
}
