import { wallClockIn } from '../workspace/schedule.ts';
import type { Form } from './form.ts';

/** Shortens an instant on a full minute, `2030-11-05T18:00Z`. Other texts are unchanged, and the loader checks them. */
function writtenInstant(instant: string): string {
  const ms = Date.parse(instant);
  if (Number.isNaN(ms) || ms % 60_000 !== 0) return instant;
  return `${new Date(ms).toISOString().slice(0, 16)}Z`;
}

const UTC = /^(?:Z|(?:Etc\/)?(?:UTC|GMT))$/;

/** A live time for a file: local time of its zone, or UTC. */
export function writtenTime(key: 'end_at' | 'scheduled_at', instant: string, zone: unknown): Form {
  const wall = typeof zone !== 'string' || UTC.test(zone) ? null : wallClockIn(zone, instant);
  return wall === null
    ? { [key]: writtenInstant(instant) }
    : { [key]: wall, [`${key}_timezone`]: String(zone) };
}

/** Removes a fraction of zero: `2030-11-05T18:00:00.000Z` becomes `2030-11-05T18:00:00Z`. Other texts are unchanged. */
export function withoutZeroFraction(instant: string): string {
  return instant.replace(/\.0+(?=Z$)/, '');
}
