import { problem, type Finding } from '../findings.ts';
import { resolveHour, type Hour } from '../schedule.ts';

/** Where an end may be written: beside its zone, under `rules`. */
export interface WithEnd {
  readonly rules?:
    | { readonly end_at?: string | null | undefined; readonly end_at_timezone?: string | undefined }
    | undefined;
}

/** The end that is written; undefined when none is, or null is. */
export function endHour({ rules = {} }: WithEnd): Hour | undefined {
  return typeof rules.end_at === 'string' ? resolveHour(rules.end_at, rules.end_at_timezone) : undefined;
}

/** An end is a whole UTC hour, like a schedule (CAMPAIGN-5, BROADCAST-5). */
export function endIsAnHour(written: WithEnd): Finding[] {
  const hour = endHour(written);
  if (hour === undefined) {
    if (written.rules?.end_at_timezone === undefined) return [];
    const message = 'A time zone without a time: write end_at, or remove this.';
    return [problem('timezone-without-time', ['rules', 'end_at_timezone'], message, 'key')];
  }
  return hour.kind === 'hour' ? [] : [refusedHour(hour, ['rules'], 'end_at')];
}

/** Points at the time or at its zone, whichever is wrong. */
export function refusedHour(
  hour: Hour & { readonly kind: 'refused' },
  path: readonly string[],
  key: 'end_at' | 'scheduled_at',
): Finding {
  return problem(hour.code, [...path, hour.about === 'zone' ? `${key}_timezone` : key], hour.message);
}
