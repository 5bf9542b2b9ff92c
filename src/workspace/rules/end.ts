import { error, type Finding } from '../findings.ts';
import { resolveHour, type Hour } from '../schedule.ts';

/** A resource with an end and its zone, under `rules`. */
export interface WithEnd {
  readonly rules?:
    | { readonly end_at?: string | null | undefined; readonly end_at_timezone?: string | undefined }
    | undefined;
}

/** The written end. Undefined if it is missing or null. */
export function endHour({ rules = {} }: WithEnd): Hour | undefined {
  return typeof rules.end_at === 'string' ? resolveHour(rules.end_at, rules.end_at_timezone) : undefined;
}

/** An end is a whole UTC hour, like a schedule (CAMPAIGN-5, BROADCAST-5). */
export function endIsAnHour(written: WithEnd): Finding[] {
  const hour = endHour(written);
  if (hour === undefined) {
    if (written.rules?.end_at_timezone === undefined) return [];
    const message = 'The time zone has no time. Write `end_at`, or remove this.';
    return [error('timezone-without-time', ['rules', 'end_at_timezone'], message, 'key')];
  }
  return hour.kind === 'hour' ? [] : [refusedHour(hour, ['rules'], 'end_at')];
}

/** The finding for a wrong time, at the key of the time or of its zone. */
export function refusedHour(
  hour: Hour & { readonly kind: 'refused' },
  path: readonly string[],
  key: 'end_at' | 'scheduled_at',
): Finding {
  const zoneKey = `${key}_timezone`;
  const advice =
    hour.code === 'timezone-missing' ? ` Set \`${zoneKey}: Europe/Berlin\`, or end the time with Z.` : '';
  const at = [...path, hour.about === 'zone' ? zoneKey : key];
  return error(hour.code, at, `${hour.message}${advice}`);
}
