import { error, warning, type Finding } from '../findings.ts';
import { ignoresWhatIsCompared } from '../ignore.ts';
import { checkWord, type WordsKnown } from '../known-words.ts';
import { resolveHour, type Hour } from '../schedule.ts';
import type { WrittenBroadcast } from '../schema.ts';
import { AUDIENCE_RULES } from './audience.ts';
import { writtenEnd, endIsAnHour, hourFindings } from './end.ts';
import { hasMessages, MESSAGE_RULES } from './messages.ts';
import { NAME_RULES } from './names.ts';
import type { OddNumberAt, Rule } from './rule.ts';
import { formatCommand } from '../../domain/command-line.ts';

/** Rules for one broadcast */
export const BROADCAST_RULES: readonly Rule<WrittenBroadcast>[] = [
  ...NAME_RULES,
  ignoresWhatIsCompared('broadcast'),
  scheduleIsAnHour,
  endIsAnHour,
  endFollowsSchedule,
  onlineCheckModeIsKnown,
  ...AUDIENCE_RULES,
  hasMessages,
  ...MESSAGE_RULES,
];

/** Rules for one broadcast that is sent at once. */
export const SENT_AT_ONCE_RULES: readonly Rule<WrittenBroadcast>[] = [
  ...BROADCAST_RULES.filter((rule) => rule !== scheduleIsAnHour),
  hasNoSchedule,
];

/** A schedule, or another status, would contradict that it is sent now. */
function hasNoSchedule(written: WrittenBroadcast): Finding[] {
  return (['scheduled_at', 'scheduled_at_timezone', 'status'] as const)
    .filter((key) => written[key] !== undefined)
    .map((key) =>
      error(
        'schedule-not-allowed',
        [key],
        `This broadcast is sent at once, so it has no ${key}. Remove it, or move the broadcast to \`files:\` and run ${formatCommand('apply')}.`,
        'key',
      ),
    );
}

/** Cached, because time zone lookups are slow, and rules and expansion both need the result. */
const hours = new WeakMap<WrittenBroadcast, Hour>();

/** The scheduled hour. Undefined if it is not written. */
export function scheduledHour(written: WrittenBroadcast): Hour | undefined {
  const { scheduled_at: at, scheduled_at_timezone: zone } = written;
  if (at === undefined) return undefined;
  const known = hours.get(written);
  const hour = known ?? resolveHour(at, zone);
  if (known === undefined) hours.set(written, hour);
  return hour;
}

/** A schedule is required, because without one the service sends immediately (BROADCAST-3). */
function scheduleIsAnHour(written: WrittenBroadcast): Finding[] {
  const hour = scheduledHour(written);
  if (hour === undefined) {
    const message = 'No schedule. Write `scheduled_at`; without it, the service would send immediately.';
    return [error('schedule-missing', ['scheduled_at'], message, 'key')];
  }
  return hourFindings(hour, [], 'scheduled_at');
}

/** The service accepts an end before the schedule, and then never sends (BROADCAST-7). */
function endFollowsSchedule(written: WrittenBroadcast): Finding[] {
  const end = writtenEnd(written);
  const start = end === undefined ? undefined : scheduledHour(written);
  if (start?.kind !== 'hour' || end?.kind !== 'hour' || end.utc > start.utc) return [];
  const message = `It ends at ${end.utc}, which is not after its schedule at ${start.utc}, so the service never sends it. Write a later end.`;
  return [warning('end-before-schedule', ['rules', 'end_at'], message)];
}

function onlineCheckModeIsKnown(
  { rules = {} }: WrittenBroadcast,
  _oddNumberAt: OddNumberAt,
  known: WordsKnown,
): Finding[] {
  const { online_check_mode: mode } = rules;
  return mode == null ? [] : checkWord('online_check_modes', mode, ['rules', 'online_check_mode'], known);
}
