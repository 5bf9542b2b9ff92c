import { error, warning, type Finding } from '../findings.ts';
import { resolveHour, resolveTime, type Hour } from '../schedule.ts';

/** A resource with an end and its zone, under `rules`. */
export interface WithEnd {
  readonly rules?:
    | { readonly end_at?: string | null | undefined; readonly end_at_timezone?: string | undefined }
    | undefined;
}

/** The written end, on a whole hour or not. Undefined if it is missing or null. */
export function writtenEnd({ rules = {} }: WithEnd): Hour | undefined {
  return typeof rules.end_at === 'string' ? resolveTime(rules.end_at, rules.end_at_timezone) : undefined;
}

/** The end of a broadcast is a whole hour, like its schedule (BROADCAST-5). */
export function endIsAnHour(written: WithEnd): Finding[] {
  const { end_at: at, end_at_timezone: zone } = written.rules ?? {};
  if (typeof at !== 'string') return zoneAlone(written);
  return hourFindings(resolveHour(at, zone), ['rules'], 'end_at');
}

/** The end of a campaign is any time. The service's document does not say that it must be a whole hour (CAMPAIGN-5). */
export function endIsATime(written: WithEnd): Finding[] {
  const time = writtenEnd(written);
  if (time === undefined) return zoneAlone(written);
  if (time.kind !== 'hour') return [refusedHour(time, ['rules'], 'end_at')];
  if (time.near === undefined) return [];
  const message = `This end is not a whole hour in UTC. The service may move it to one. To be sure, write ${time.near}.`;
  return [warning('end-within-hour', ['rules', 'end_at'], message)];
}

function zoneAlone({ rules }: WithEnd): Finding[] {
  if (rules?.end_at_timezone === undefined) return [];
  const message = 'The time zone has no time. Write `end_at`, or remove this.';
  return [error('timezone-without-time', ['rules', 'end_at_timezone'], message, 'key')];
}

/** The findings for the hour of a broadcast. One that was made on another clock can be declared. */
export function hourFindings(hour: Hour, path: readonly string[], key: 'end_at' | 'scheduled_at'): Finding[] {
  if (hour.kind === 'refused') return [refusedHour(hour, path, key)];
  if (hour.near === undefined) return [];
  const message = `Herald sends times in UTC, where this is not a whole hour, so it cannot create this broadcast. It can manage a live one. To create it, write ${hour.near}.`;
  return [warning('not-whole-hour', [...path, key], message)];
}

/** The finding for a wrong time, at the key of the time or of its zone. */
function refusedHour(
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
