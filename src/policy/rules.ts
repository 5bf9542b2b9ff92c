import * as z from 'zod/mini';
import type { DiagnosticCode } from '../domain/codes.ts';
import { compareText } from '../domain/diagnostic.ts';
import { readMember } from '../domain/field-path.ts';
import { groupBy } from '../domain/group-by.ts';
import { isPrice, NOT_A_PRICE } from '../domain/message.ts';
import { type Declared, formatAddress, type Kind, KINDS } from '../domain/resource.ts';
import { withCode, withHelp } from '../domain/value-shapes.ts';
import { type Policy, POLICY_LEVELS, type PolicySetting } from '../domain/workspace.ts';
import { bannedWords } from './banned-words.ts';
import { levelShape, type PolicyCase, type PolicyRule, ruleShape, settingOf } from './rule.ts';
import { ZONE_HELP, zoneShape } from './zone.ts';

interface Limit extends PolicySetting {
  readonly limit: number;
}

/** A rule that is one price, checked in each message. `explain` says why a price breaks it, or null. */
function priceRule(
  key: string,
  code: DiagnosticCode,
  help: string,
  explain: (price: number, limit: number) => string | null,
): PolicyRule<Limit> {
  return {
    key,
    code,
    help,
    shape: ruleShape(
      'limit',
      z.number().check(z.minimum(0), z.refine(isPrice, withCode('invalid-price', NOT_A_PRICE))),
    ),
    describe: ({ limit }) => `${limit}`,
    inMessage: {
      path: (index) => ['messages', index, 'price_gross'],
      judge:
        ({ limit }) =>
        ({ price }) => {
          const why = explain(price, limit);
          return why === null ? [] : [`costs ${price}, ${why}`];
        },
    },
  };
}

const maxPrice = priceRule(
  'max_price_gross',
  'policy-max-price',
  'No message may cost more.',
  (price, limit) => (price > limit ? `above policy.max_price_gross ${limit}.` : null),
);

const minPrice = priceRule(
  'min_price_gross',
  'policy-min-price',
  'No message that costs something may cost less.',
  (price, limit) =>
    price > 0 && price < limit
      ? `below policy.min_price_gross ${limit}. Raise the price to at least ${limit}, or make the message free.`
      : null,
);

/** A run with more changes than this needs `--allow large`. */
const MAX_CHANGES_DEFAULT = 20;

const maxChanges: PolicyRule<Limit> = {
  key: 'max_changes',
  code: 'too-many-changes',
  shape: ruleShape('limit', z.int().check(z.minimum(1))),
  help: `Default: ${MAX_CHANGES_DEFAULT}.`,
  default: { limit: MAX_CHANGES_DEFAULT, level: 'deny' },
  describe: ({ limit }) => `${limit}`,
  checkRun: ({ changes, allow }, { limit }) =>
    changes <= limit || allow.has('large')
      ? null
      : `${changes} changes, more than policy.max_changes (${limit}). Review them, then use --allow large, or raise policy.max_changes in herald.yaml.`,
};

/** As many addresses as fit into one sentence. The plan lists all of them. */
const NAMED_MAX = 5;

/** What happens if something was never created because its time has passed. The plan itself warns of each one. */
const missed: PolicyRule = {
  key: 'missed',
  code: 'missed-denied',
  shape: z.pipe(
    z.enum(POLICY_LEVELS),
    z.transform((level): PolicySetting => ({ level })),
  ),
  help: 'deny blocks the whole run, warn (default) only warns.',
  describe: () => 'their time passed before they were created',
  checkRun: (run, { level }) => {
    if (level === 'warn' || run.missed.length === 0) return null;
    const more = run.missed.length > NAMED_MAX ? ` and ${run.missed.length - NAMED_MAX} more` : '';
    const names = `${run.missed.slice(0, NAMED_MAX).join(', ')}${more}`;
    return `Missed, and policy.missed is deny: ${names}. Change scheduled_at or rules.end_at, or remove them.`;
  },
};

/** What `policy.required` can ask for, and of which kinds (CONTENT-20). All but the first are in `rules`. */
const REQUIRED_FIELDS = {
  audience_filters: KINDS,
  end_at: KINDS,
  mimic_on_reply_enabled: KINDS,
  online_check_mode: ['broadcast'],
  retry_after_unsend_min: ['campaign'],
  send_delay_interval: ['campaign'],
  unsend_delay_sec: KINDS,
  unsend_if_not_read_enabled: KINDS,
  unsend_if_not_replied_enabled: ['campaign'],
} as const satisfies Record<string, readonly Kind[]>;
type RequiredField = keyof typeof REQUIRED_FIELDS;

export const REQUIRED_FIELD_NAMES = Object.keys(REQUIRED_FIELDS) as RequiredField[];

const requiredShape = ruleShape(
  'fields',
  z
    .array(z.enum(REQUIRED_FIELD_NAMES))
    .check(z.minLength(1, withCode('invalid-value', 'Name at least one field, or remove the rule.'))),
);

const required: PolicyRule<z.infer<typeof requiredShape>> = {
  key: 'required',
  code: 'policy-required',
  shape: requiredShape,
  help: 'Fields that everything to be sent must state, where its kind has them.',
  describe: ({ fields }) => fields.join(', '),
  check: (resources, { fields }) =>
    resources.flatMap((resource) =>
      [...new Set(fields)]
        .filter((field) => lacks(resource, field))
        .map((field) => {
          const isAudience = field === 'audience_filters';
          const what = isAudience ? 'it goes to everyone' : `it has no rules.${field}`;
          const path = isAudience ? [field] : ['rules', field];
          return { resource, path, message: `${what}: policy.required asks for ${field}.` };
        }),
    ),
};

function lacks({ kind, content }: Declared, field: RequiredField): boolean {
  const kinds: readonly Kind[] = REQUIRED_FIELDS[field];
  // An automated chat has no message that could be recalled (CAMPAIGN-4).
  const isMute = content.messages.length === 0 && field.includes('unsend');
  if (!kinds.includes(kind) || isMute) return false;
  if (field === 'audience_filters') return content.audience_filters.length === 0;
  return (readMember(content.rules, field) ?? null) === null;
}

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

/**
 * Local hours in which no message may go out: a broadcast at its schedule, in the hours after it, and when a later message of
 * the sequence is due; a chat message now. Campaigns follow their trigger and are not concerned.
 */
export const quietHours: PolicyRule<z.infer<typeof quietShape>> = {
  key: 'quiet_hours',
  code: 'policy-quiet-hours',
  shape: quietShape,
  help: 'Local hours in which no broadcast may send; `from` inclusive, `to` exclusive.',
  describe: ({ from, to, timezone, hours_after: hoursAfter }) =>
    `${from} to ${to} in ${timezone}, ${hoursAfter} h after each message`,
  inMessage: {
    path: (index) => (index === 0 ? ['scheduled_at'] : ['messages', index, 'delay_sec']),
    judge: ({ from, to, timezone, hours_after: hoursAfter }) => {
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
      /** The first quiet moment of the hours that a send at this time may take. */
      const findQuietMs = (atMs: number, isBroadcast: boolean): number | null => {
        // A message to one fan is sent in a moment.
        const endMs = atMs + Math.max(isBroadcast ? hoursAfter * HOUR_MS : 0, 1);
        for (let ms = atMs; ms < endMs; ms += MINUTE_MS) if (isQuiet(show(ms))) return ms;
        return null;
      };
      // Many accounts share one schedule.
      const known = new Map<number, number | null>();
      return ({ dueMs, isBroadcast }) => {
        if (dueMs === null) return [];
        if (!known.has(dueMs)) known.set(dueMs, findQuietMs(dueMs, isBroadcast));
        const quietMs = known.get(dueMs) ?? null;
        if (quietMs === null) return [];
        const goesOn = quietMs === dueMs ? '' : ` and may still be sending at ${show(quietMs)}`;
        return [
          `goes out at ${show(dueMs)}${goesOn} in ${timezone}, within policy.quiet_hours ${from} to ${to}.`,
        ];
      };
    },
  },
};

const MINUTE_MS = 60_000;

const HOUR_MS = 60 * MINUTE_MS;

const perDayShape = ruleShape('limit', z.int().check(z.minimum(0)), {
  timezone: withHelp(`${ZONE_HELP} Default: the zone of quiet_hours, or UTC.`, z.optional(zoneShape)),
});

/** The zone that says when a day begins. */
function readDayZone({ timezone }: z.infer<typeof perDayShape>, policy: Policy): string {
  return timezone ?? settingOf(quietHours, policy)?.timezone ?? 'UTC';
}

/**
 * Broadcasts of an account after the first few of a day. What is sent, and what is scheduled and in no file, counts
 * first, because no change of the files can stop it.
 */
const broadcastsPerDay: PolicyRule<z.infer<typeof perDayShape>> = {
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
    const entries = listEntries(policyCase, new Set(toBeSent));
    const days = groupBy(entries, ({ account, atUtc }) => `${account} ${day.format(new Date(atUtc))}`);
    return [...days].flatMap(([key, all]) =>
      all
        .toSorted(
          (left, right) =>
            Number(left.resource !== null) - Number(right.resource !== null) ||
            Date.parse(left.atUtc) - Date.parse(right.atUtc) ||
            compareText(left.name, right.name),
        )
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
  readonly resource: Declared | null;
}

function listEntries({ declared, undeclared, sent }: PolicyCase, toBeSent: ReadonlySet<Declared>): Entry[] {
  const live = undeclared.flatMap(({ account, live: { name, scheduled_at: atUtc } }) =>
    atUtc == null ? [] : [{ account, name: name ?? '', atUtc, resource: null }],
  );
  const own = declared.flatMap((resource): Entry[] => {
    const { kind, address } = resource;
    const canMove = toBeSent.has(resource);
    if (kind !== 'broadcast' || !(canMove || sent.has(formatAddress(address)))) return [];
    const { account, name } = address;
    return [{ account, name, atUtc: resource.scheduledAtUtc, resource: canMove ? resource : null }];
  });
  return [...live, ...own];
}

/** In the order of outputs. Parsing, plans, `policy test`, JSON schemas and the reference read this table. */
export const POLICY_RULES: readonly PolicyRule[] = [
  maxChanges,
  maxPrice,
  minPrice,
  bannedWords,
  quietHours,
  broadcastsPerDay,
  required,
  missed,
];
