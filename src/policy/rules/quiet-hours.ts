import * as z from 'zod/mini';
import { withCode } from '../../domain/coded-message.ts';
import { withHelp } from '../../domain/with-help.ts';
import type { PolicySetting } from '../../domain/policy.ts';
import type { DeclaredBroadcast } from '../../domain/resource.ts';
import type { PolicyRule, PolicyViolation } from '../rule.ts';
import { readLevel, levelShape } from '../setting.ts';
import { ZONE_HELP, zoneProblems } from '../zone.ts';

/** Assumed: sending to everyone takes up to an hour (BROADCAST-9). */
const HOURS_AFTER_DEFAULT = 1;

export interface QuietHours extends PolicySetting {
  /** `HH:MM`, inclusive. */
  readonly from: string;
  /** `HH:MM`, exclusive. */
  readonly to: string;
  /** An IANA name. */
  readonly timezone: string;
  /** A broadcast sends for some time: this many hours from each of its messages must not touch the quiet ones. */
  readonly hoursAfter: number;
}

const clockShape = z
  .string()
  .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, withCode('invalid-time', 'Write HH:MM.')));

const shape = z.strictObject({
  from: clockShape,
  to: clockShape,
  timezone: withHelp(ZONE_HELP, z.string()),
  hours_after: withHelp(
    `How long a broadcast may go on sending after each of its messages is due. Default: ${HOURS_AFTER_DEFAULT}.`,
    z.optional(z.int().check(z.minimum(0), z.maximum(24, withCode('invalid-value', 'It is at most 24.')))),
  ),
  level: levelShape,
});

/**
 * Local hours in which no broadcast may send: at its schedule, in the hours after it, and when a later message of the
 * sequence is due. Campaigns follow their trigger and are not concerned.
 */
export const quietHours = {
  key: 'quiet_hours',
  code: 'policy-quiet-hours',
  shape,
  help: 'Local hours in which no broadcast may send; `from` inclusive, `to` exclusive.',
  default: null,
  appliesTo: `a broadcast with a message that is due in these hours, or within \`hours_after\` (${HOURS_AFTER_DEFAULT}) before them`,
  example: "quiet_hours: { from: '23:00', to: '07:00', timezone: Europe/Lisbon, hours_after: 2 }",
  read: (written) => {
    const { from, to, timezone, hours_after: hoursAfter = HOURS_AFTER_DEFAULT } = written;
    return { from, to, timezone, hoursAfter, level: readLevel(written) };
  },
  problems: ({ from, to, timezone }) => [
    ...zoneProblems(timezone),
    ...(from === to
      ? [
          {
            code: 'quiet-hours-empty' as const,
            path: ['to'],
            message: 'quiet_hours end when they begin. Change `from` or `to`, or remove quiet_hours.',
          },
        ]
      : []),
  ],
  describe: ({ from, to, timezone, hoursAfter }) =>
    `${from} to ${to} in ${timezone}, ${hoursAfter} h after each message`,
  check: (resources, setting) => {
    const clock = quietClock(setting);
    return resources.flatMap((resource) =>
      resource.kind === 'broadcast' ? judge(resource, setting, clock) : [],
    );
  },
  checkMessage: ({ atMs }, setting) => {
    // One message is sent in a moment. `hours_after` is for broadcasts.
    const clock = quietClock({ ...setting, hoursAfter: 0 });
    if (clock.firstQuietMs(atMs) === null) return [];
    const { from, to, timezone } = setting;
    return [
      `the message would go out now, at ${clock.show(atMs)} in ${timezone}, within policy.quiet_hours ${from} to ${to}.`,
    ];
  },
} as const satisfies PolicyRule<z.infer<typeof shape>, QuietHours>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MIN = 24 * 60;

/** Zones move their clocks at quarters of an hour of UTC, so within one the minutes go on as they should. */
const STEP_MIN = 15;

function judge(
  resource: DeclaredBroadcast,
  setting: QuietHours,
  clock: QuietClock,
): readonly PolicyViolation[] {
  const { from, to, timezone } = setting;
  return dueTimes(resource).flatMap(({ atMs, path, what }) => {
    const quietMs = clock.firstQuietMs(atMs);
    if (quietMs === null) return [];
    const goesOn = quietMs === atMs ? '' : ` and may still be sending at ${clock.show(quietMs)}`;
    const message = `${what} at ${clock.show(atMs)}${goesOn} in ${timezone}, within policy.quiet_hours ${from} to ${to}.`;
    return [{ resource, path, message }];
  });
}

interface Due {
  readonly atMs: number;
  readonly path: readonly (string | number)[];
  readonly what: string;
}

/** Assumed: the delay of each message of a sequence counts from the one before (CONTENT-13). */
function dueTimes({ scheduledAtUtc, content }: DeclaredBroadcast): readonly Due[] {
  let atMs = Date.parse(scheduledAtUtc);
  return content.messages.flatMap(({ delay_sec: delaySec = 0 }, index) => {
    if (index === 0) return [{ atMs, path: ['scheduled_at'], what: 'it goes out' }];
    atMs += delaySec * 1000;
    // At once after the one before, it is the same send.
    return delaySec === 0
      ? []
      : [{ atMs, path: ['messages', index, 'delay_sec'], what: `messages[${index}] goes out` }];
  });
}

interface QuietClock {
  /** The first quiet moment of the hours that a send at this time may take; null when there is none. */
  firstQuietMs(atMs: number): number | null;
  /** `HH:MM` in the zone. */
  show(atMs: number): string;
}

function quietClock(setting: QuietHours): QuietClock {
  // Made once, because looking up a zone is slow.
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: setting.timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const show = (atMs: number) => format.format(new Date(atMs));
  const [from, to] = [countMinutes(setting.from), countMinutes(setting.to)];
  const known = new Map<number, number | null>();
  const look = (atMs: number): number | null => {
    const endMs = atMs + Math.max(setting.hoursAfter * HOUR_MS, 1);
    for (let stepMs = atMs; stepMs < endMs; stepMs = nextStepMs(stepMs)) {
      const untilMs = Math.min(nextStepMs(stepMs), endMs);
      const quietMs = stepMs + minutesUntilQuiet(countMinutes(show(stepMs)), from, to) * MINUTE_MS;
      if (quietMs < untilMs) return quietMs;
    }
    return null;
  };
  return {
    show,
    firstQuietMs: (atMs) => {
      // Many accounts share one schedule.
      const found = known.get(atMs);
      if (found !== undefined) return found;
      const quietMs = look(atMs);
      known.set(atMs, quietMs);
      return quietMs;
    },
  };
}

function nextStepMs(atMs: number): number {
  const stepMs = STEP_MIN * MINUTE_MS;
  return (Math.floor(atMs / stepMs) + 1) * stepMs;
}

/** 0 when it is quiet now. */
function minutesUntilQuiet(local: number, from: number, to: number): number {
  const crossesMidnight = from > to;
  const quiet = crossesMidnight ? local >= from || local < to : from <= local && local < to;
  return quiet ? 0 : (from - local + DAY_MIN) % DAY_MIN;
}

function countMinutes(clock: string): number {
  const [hours, minutes] = clock.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}
