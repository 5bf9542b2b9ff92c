import type { WrittenProblem } from './rule.ts';
import * as Instants from 'temporal-polyfill/fns/Instant';

/** What an editor shows for `timezone:` of a rule. */
export const ZONE_HELP = 'The IANA zone, for instance Europe/Berlin.';

/** What is wrong with `timezone:` of a rule. */
export function zoneProblems(zone: string | undefined): readonly WrittenProblem[] {
  if (zone === undefined || isZone(zone)) return [];
  return [{ code: 'unknown-timezone', path: ['timezone'], message: notAZone(zone) }];
}

/** A name of the time zone database. A plain offset does not have summer time. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

/** True for a time zone that this machine knows. */
export function isZone(name: string): boolean {
  if (!ZONE_NAME.test(name)) return false;
  try {
    Instants.toZonedDateTimeISO(Instants.fromEpochMilliseconds(0), name);
    return true;
  } catch {
    return false;
  }
}

/** The message for an unknown time zone (`unknown-timezone`). */
export function notAZone(text: string): string {
  return `"${text}" is not an IANA time zone. Use a name such as Europe/Berlin.`;
}
