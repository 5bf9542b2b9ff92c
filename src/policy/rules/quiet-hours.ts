import * as z from 'zod/mini';
import type { DeclaredBroadcast } from '../../domain/resource.ts';
import { levelShape, type PolicyRule, type PolicyViolation } from '../rule.ts';
import { ZONE_HELP, zoneShape } from '../zone.ts';
import { withCode, withHelp } from '../../domain/value-shapes.ts';
import type { PolicySetting } from '../../domain/workspace.ts';

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

const NEVER_QUIET = withCode(
  'quiet-hours-empty',
  'quiet_hours end when they begin. Change `from` or `to`, or remove quiet_hours.',
);

const clockShape = z
  .string()
  .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, withCode('invalid-time', 'Write HH:MM.')));

const shape = z
  .strictObject({
    from: clockShape,
    to: clockShape,
    timezone: withHelp(ZONE_HELP, z.clone(zoneShape)),
    hours_after: withHelp(
      `How long a broadcast may go on sending after each of its messages is due. Default: ${HOURS_AFTER_DEFAULT}.`,
      z.optional(z.int().check(z.minimum(0), z.maximum(24, withCode('invalid-value', 'It is at most 24.')))),
    ),
    level: levelShape,
  })
  .check(z.refine(({ from, to }) => from !== to, { path: ['to'], error: NEVER_QUIET }));

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
  read: ({ hours_after: hoursAfter = HOURS_AFTER_DEFAULT, ...written }) => ({ ...written, hoursAfter }),
  describe: ({ from, to, timezone, hoursAfter }) =>
    `${from} to ${to} in ${timezone}, ${hoursAfter} h after each message`,
  check: (resources, setting) => {
    const clock = quietClock(setting);
    return resources.flatMap((resource) =>
      resource.kind === 'broadcast' ? judge(resource, setting, clock) : [],
    );
  },
  checkTime: (atMs, setting) => {
    // One message is sent in a moment. `hours_after` is for broadcasts.
    const clock = quietClock({ ...setting, hoursAfter: 0 });
    if (clock.firstQuietMs(atMs) === null) return null;
    const { from, to, timezone } = setting;
    return `would go out now, at ${clock.show(atMs)} in ${timezone}, within policy.quiet_hours ${from} to ${to}.`;
  },
} as const satisfies PolicyRule<z.infer<typeof shape>, QuietHours>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Assumed: the delay of each message of a sequence counts from the one before (CONTENT-13). */
function judge(
  resource: DeclaredBroadcast,
  { from, to, timezone }: QuietHours,
  clock: QuietClock,
): readonly PolicyViolation[] {
  let atMs = Date.parse(resource.scheduledAtUtc);
  return resource.content.messages.flatMap(({ delay_sec: delaySec = 0 }, index) => {
    if (index > 0) atMs += delaySec * 1000;
    // At once after the one before, it is the same send.
    const quietMs = index > 0 && delaySec === 0 ? null : clock.firstQuietMs(atMs);
    if (quietMs === null) return [];
    const what = index === 0 ? 'it' : `messages[${index}]`;
    const goesOn = quietMs === atMs ? '' : ` and may still be sending at ${clock.show(quietMs)}`;
    const message = `${what} goes out at ${clock.show(atMs)}${goesOn} in ${timezone}, within policy.quiet_hours ${from} to ${to}.`;
    return [{ resource, path: index === 0 ? ['scheduled_at'] : ['messages', index, 'delay_sec'], message }];
  });
}

interface QuietClock {
  /** The first quiet moment of the hours that a send at this time may take. Null if there is none. */
  firstQuietMs(atMs: number): number | null;
  /** `HH:MM` in the zone. */
  show(atMs: number): string;
}

function quietClock({ from, to, timezone, hoursAfter }: QuietHours): QuietClock {
  // Made once, because looking up a zone is slow.
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const show = (atMs: number) => format.format(new Date(atMs));
  const isQuiet = (clock: string) => {
    const crossesMidnight = from > to;
    return crossesMidnight ? clock >= from || clock < to : from <= clock && clock < to;
  };
  const find = (atMs: number): number | null => {
    const endMs = atMs + Math.max(hoursAfter * HOUR_MS, 1);
    for (let ms = atMs; ms < endMs; ms += MINUTE_MS) if (isQuiet(show(ms))) return ms;
    return null;
  };
  const known = new Map<number, number | null>();
  return {
    show,
    firstQuietMs: (atMs) => {
      // Many accounts share one schedule.
      const quietMs = known.has(atMs) ? (known.get(atMs) ?? null) : find(atMs);
      known.set(atMs, quietMs);
      return quietMs;
    },
  };
}
