import { isZone, notAZone } from '../domain/zones.ts';
import type { WrittenProblem } from './rule.ts';

/** What an editor shows for `timezone:` of a rule. */
export const ZONE_HELP = 'The IANA zone, for instance Europe/Berlin.';

/** What is wrong with `timezone:` of a rule. */
export function zoneProblems(zone: string | undefined): readonly WrittenProblem[] {
  if (zone === undefined || isZone(zone)) return [];
  return [{ code: 'unknown-timezone', path: ['timezone'], message: notAZone(zone) }];
}
