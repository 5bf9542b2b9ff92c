import * as z from 'zod/mini';
import { compareText } from '../domain/diagnostic.ts';
import { groupBy } from '../domain/group-by.ts';
import { formatAddress, type Declared, type DeclaredBroadcast } from '../domain/resource.ts';
import { withCode, withHelp } from '../domain/value-shapes.ts';
import type { Policy } from '../domain/workspace.ts';
import { levelShape, ruleShape, settingOf, type PolicyCase, type PolicyRule } from './rule.ts';
import { ZONE_HELP, zoneShape } from './zone.ts';

/** Assumed: sending to everyone takes up to an hour (BROADCAST-9). */
const HOURS_AFTER_DEFAULT = 1;

const NEVER_QUIET = withCode(
  'quiet-hours-empty',
  'quiet_hours end when they begin. Change `from` or `to`, or remove quiet_hours.',
);

const clockShape = z
  .string()
  .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, withCode('invalid-time', 'Write HH:MM.')));

/** `from` is inclusive, and `to` exclusive. */
const quietShape = z
  .strictObject({
    from: clockShape,
    to: clockShape,
    timezone: withHelp(ZONE_HELP, z.clone(zoneShape)),
    hours_after: withHelp(
      `How long a broadcast may go on sending after each of its messages is due. Default: ${HOURS_AFTER_DEFAULT}.`,
      z._default(
        z.int().check(z.minimum(0), z.maximum(24, withCode('invalid-value', 'It is at most 24.'))),
        HOURS_AFTER_DEFAULT,
      ),
    ),
    level: levelShape,
  })
  .check(z.refine(({ from, to }) => from !== to, { path: ['to'], error: NEVER_QUIET }));

type QuietHours = z.infer<typeof quietShape>;

/**
 * Local hours in which no message may go out: a broadcast at its schedule, in the hours after it, and when a later message of
 * the sequence is due; a chat message now. Campaigns follow their trigger and are not concerned.
 */
export const quietHours: PolicyRule<QuietHours> = {
  key: 'quiet_hours',
  code: 'policy-quiet-hours',
  shape: quietShape,
  help: 'Local hours in which no broadcast may send; `from` inclusive, `to` exclusive.',
  describe: ({ from, to, timezone, hours_after: hoursAfter }) =>
    `${from} to ${to} in ${timezone}, ${hoursAfter} h after each message`,
  inMessage: {
    path: (index) => (index === 0 ? ['scheduled_at'] : ['messages', index, 'delay_sec']),
    judge: (setting) => {
      const { from, to, timezone } = setting;
      const clock = quietClock(setting);
      return ({ dueMs, isBroadcast }) => {
        const quietMs = dueMs === null ? null : clock.firstQuietMs(dueMs, isBroadcast);
        if (dueMs === null || quietMs === null) return [];
        const goesOn = quietMs === dueMs ? '' : ` and may still be sending at ${clock.show(quietMs)}`;
        return [
          `goes out at ${clock.show(dueMs)}${goesOn} in ${timezone}, within policy.quiet_hours ${from} to ${to}.`,
        ];
      };
    },
  },
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

function quietClock({ from, to, timezone, hours_after: hoursAfter }: QuietHours) {
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
  const find = (atMs: number, isBroadcast: boolean): number | null => {
    // A message to one fan is sent in a moment.
    const endMs = atMs + Math.max(isBroadcast ? hoursAfter * HOUR_MS : 0, 1);
    for (let ms = atMs; ms < endMs; ms += MINUTE_MS) if (isQuiet(show(ms))) return ms;
    return null;
  };
  const known = new Map<number, number | null>();
  return {
    /** `HH:MM` in the zone. */
    show,
    /** The first quiet moment of the hours that a send at this time may take. Null if there is none. */
    firstQuietMs: (atMs: number, isBroadcast: boolean): number | null => {
      // Many accounts share one schedule.
      if (!known.has(atMs)) known.set(atMs, find(atMs, isBroadcast));
      return known.get(atMs) ?? null;
    },
  };
}

const perDayShape = ruleShape('limit', z.int().check(z.minimum(0)), {
  timezone: withHelp(`${ZONE_HELP} Default: the zone of quiet_hours, or UTC.`, z.optional(zoneShape)),
});

type BroadcastsPerDay = z.infer<typeof perDayShape>;

/** The zone that says when a day begins. */
function readDayZone({ timezone }: BroadcastsPerDay, policy: Policy): string {
  return timezone ?? settingOf(quietHours, policy)?.timezone ?? 'UTC';
}

/**
 * Broadcasts of an account after the first few of a day. What is sent, and what is scheduled and in no file, counts
 * first, because no change of the files can stop it.
 */
export const broadcastsPerDay: PolicyRule<BroadcastsPerDay> = {
  key: 'max_broadcasts_per_day',
  code: 'policy-broadcasts-per-day',
  shape: perDayShape,
  help: 'Broadcasts of one account on one day.',
  describe: (setting, policy) => `${setting.limit} in ${readDayZone(setting, policy)}`,
  check: (toBeSent, setting, policyCase) => {
    const { limit } = setting;
    const timezone = readDayZone(setting, policyCase.policy);
    // Written as ISO dates are, and made once, because looking up a zone is slow.
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' });
    const entries = listEntries(policyCase, toBeSent);
    const days = groupBy(entries, ({ account, atUtc }) => `${account} ${day.format(new Date(atUtc))}`);
    return [...days].flatMap(([key, all]) =>
      all
        .toSorted(compareEntries)
        .slice(limit)
        .flatMap(({ account, resource }) => {
          if (resource === null) return [];
          const when = key.slice(key.lastIndexOf(' ') + 1);
          const number = `${all.length} broadcast${all.length === 1 ? '' : 's'}`;
          const message = `${account} has ${number} on ${when} in ${timezone}, more than policy.max_broadcasts_per_day ${limit}. Move it to another day.`;
          return [{ resource, path: ['scheduled_at'], message }];
        }),
    );
  },
};

/** One broadcast of a day; `resource` is null for what cannot be moved: it is sent, or in no file. */
interface Entry {
  readonly account: string;
  readonly name: string;
  readonly atUtc: string;
  readonly resource: DeclaredBroadcast | null;
}

function listEntries({ declared, undeclared, sent }: PolicyCase, toBeSent: readonly Declared[]): Entry[] {
  const live = undeclared.flatMap(({ account, live: { name, scheduled_at: atUtc } }) =>
    atUtc == null ? [] : [{ account, name: name ?? '', atUtc, resource: null }],
  );
  const listOwn = (resources: readonly Declared[], canMove: boolean) =>
    resources.flatMap((resource): Entry[] => {
      if (resource.kind !== 'broadcast') return [];
      const { account, name } = resource.address;
      return [{ account, name, atUtc: resource.scheduledAtUtc, resource: canMove ? resource : null }];
    });
  const gone = declared.filter(({ address }) => sent.has(formatAddress(address)));
  return [...live, ...listOwn(gone, false), ...listOwn(toBeSent, true)];
}

function compareEntries(left: Entry, right: Entry): number {
  return (
    Number(left.resource !== null) - Number(right.resource !== null) ||
    Date.parse(left.atUtc) - Date.parse(right.atUtc) ||
    compareText(left.name, right.name)
  );
}
