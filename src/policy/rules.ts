import * as z from 'zod/mini';
import type { Allowance } from '../domain/change-kinds.ts';
import type { DiagnosticCode } from '../domain/codes.ts';
import { compareText } from '../domain/diagnostic.ts';
import { readMember } from '../domain/field-path.ts';
import { groupBy } from '../domain/group-by.ts';
import { writtenPriceShape } from '../domain/content.ts';
import {
  type Declared,
  formatAddress,
  type Kind,
  KINDS,
  type ObservedBroadcast,
} from '../domain/resource.ts';
import { filledListShape, withCode, withHelp } from '../domain/value-shapes.ts';
import { type Policy, POLICY_LEVELS, type PolicySetting } from '../domain/workspace.ts';
import { bannedWordShape, judgeBannedWord } from './banned-words.ts';
import { ZONE_HELP, zoneShape } from './zone.ts';

type Path = readonly (string | number)[];

/** What a policy judges: everything declared, and what else is going to be sent. */
export interface PolicyCase {
  readonly declared: readonly Declared[];
  readonly policy: Policy;
  /** Scheduled broadcasts that no file of the run declares. */
  readonly undeclared: readonly ObservedBroadcast[];
  /** Addresses of declared broadcasts that were sent at their time. */
  readonly sent: ReadonlySet<string>;
  /** Addresses that the run leaves out: they are not judged, and what is live of them counts as undeclared. */
  readonly leftOut?: ReadonlySet<string>;
  /** The service's time, epoch milliseconds. */
  readonly nowMs: number;
}

/** One message: of a resource, or one that a command sends now. */
export interface PolicyMessage {
  readonly text: string | null;
  /** In US dollars, 0 for free. */
  readonly price: number;
  /** When it goes out. Null for one of a campaign, and for one that goes out together with the one before it. */
  readonly dueMs: number | null;
  /** True if it goes to many fans, which takes a while. */
  readonly isBroadcast: boolean;
}

export interface PolicyViolation {
  readonly resource: Declared;
  readonly path: Path;
  readonly message: string;
}

export interface RunCase {
  readonly changes: number;
  readonly allow: ReadonlySet<Allowance>;
  /** Addresses of resources that were not created before their time passed. */
  readonly missed: readonly string[];
}

/** A rule of `policy:`, a row of the table at the end. It has one or two of the checks at the end. */
export interface PolicyRule<Setting extends PolicySetting = PolicySetting> {
  /** Its key below `policy:`, and its name in every output. */
  readonly key: string;
  readonly code: DiagnosticCode;
  readonly shape: z.ZodMiniType<Setting>;
  /** What an editor shows for the key, from the JSON schema. */
  readonly help: string;
  /** What holds while the file does not set the rule. Left out for nothing. */
  readonly default?: Setting;
  /** The setting in words, without its level. */
  describe(setting: Setting, policy: Policy): string;
  /** How one message breaks it: sentences that go on after the name of the message. */
  readonly inMessage?: {
    path(index: number): Path;
    judge(setting: Setting): (message: PolicyMessage) => readonly string[];
  };
  /** What breaks it, of the resources that are to be sent. */
  check?(
    resources: readonly Declared[],
    setting: Setting,
    policyCase: PolicyCase,
  ): readonly PolicyViolation[];
  /** Why a run breaks it, which only a plan can tell. Null if it does not. */
  checkRun?(run: RunCase, setting: Setting): string | null;
}

export function readSetting<Setting extends PolicySetting>(
  { key }: PolicyRule<Setting>,
  policy: Policy,
): Setting | null {
  return (policy[key] as Setting | undefined) ?? null;
}

const levelShape = withHelp(
  'deny (default) refuses the whole run; warn only prints a warning.',
  z._default(z.enum(POLICY_LEVELS), 'deny'),
);

/** A rule as its value alone, or as an object that has it under `key` and may have a level. */
function ruleShape<
  Key extends string,
  Value extends z.ZodMiniType,
  More extends z.core.$ZodShape = Readonly<Record<never, never>>,
>(key: Key, value: Value, more?: More) {
  type Setting = PolicySetting & { readonly [One in Key]: z.output<Value> } & {
    readonly [One in keyof More]?: z.output<More[One]>;
  };
  const long = z.strictObject({ [key]: value, ...more, level: levelShape });
  const read = z.transform((written: unknown) =>
    typeof written === 'object' && !Array.isArray(written) ? written : { [key]: written, level: 'deny' },
  );
  const written: z.ZodMiniType = z.union([value, long]);
  return z.pipe(written, read) as z.ZodMiniType as z.ZodMiniType<Setting>;
}

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
    shape: ruleShape('limit', writtenPriceShape),
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

const wordsShape = ruleShape('words', z.array(bannedWordShape));

/** Words and phrases as whole words in any case, and patterns as they are written. */
export const bannedWords: PolicyRule<z.infer<typeof wordsShape>> = {
  key: 'banned_words',
  code: 'policy-banned-word',
  shape: wordsShape,
  help: 'Whole words and phrases in any case, or /patterns/ with flags.',
  describe: ({ words }) => (words.length === 0 ? 'none' : words.join(', ')),
  inMessage: {
    path: (index) => ['messages', index, 'text'],
    judge: ({ words }) => judgeBannedWord(words),
  },
};

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
  filledListShape(
    z.enum(REQUIRED_FIELD_NAMES),
    'invalid-value',
    'Name at least one field, or remove the rule.',
  ),
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
          const above = readMember(resource.content.rules, field) === 0 ? ' above 0' : '';
          const what = isAudience ? 'it goes to everyone' : `it has no rules.${field}${above}`;
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
  // A duration of 0 is none. `false` and `off` are decisions.
  return (readMember(content.rules, field) ?? 0) === 0;
}

/** Assumed: sending to everyone takes up to an hour (BROADCAST-9). */
const HOURS_AFTER_DEFAULT = 1;

const CLOCK = withCode('invalid-time', 'Write HH:MM, such as "23:00".');
const clockShape = z.string({ error: CLOCK }).check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, CLOCK));

/** `from` is inclusive, and `to` exclusive. */
const quietShape = z
  .strictObject({
    from: clockShape,
    to: clockShape,
    timezone: withHelp(ZONE_HELP, z.clone(zoneShape)),
    hours_after: withHelp(
      `How long a broadcast may go on sending after each of its messages is due. Default: ${HOURS_AFTER_DEFAULT}.`,
      z._default(z.int().check(z.minimum(0), z.maximum(24)), HOURS_AFTER_DEFAULT),
    ),
    level: levelShape,
  })
  .check(
    z.refine(({ from, to }) => from !== to, {
      path: ['to'],
      error: withCode(
        'quiet-hours-empty',
        'quiet_hours end when they begin. Change `from` or `to`, or remove quiet_hours.',
      ),
    }),
  );

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
      const crossesMidnight = from > to;
      const isQuiet = (clock: string) =>
        crossesMidnight ? clock >= from || clock < to : from <= clock && clock < to;
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

function readDayZone({ timezone }: z.infer<typeof perDayShape>, policy: Policy): string {
  return timezone ?? readSetting(quietHours, policy)?.timezone ?? 'UTC';
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
  check: (toBeSent, setting, { declared, undeclared, sent, policy }) => {
    const { limit } = setting;
    const timezone = readDayZone(setting, policy);
    // Written as ISO dates are, and made once, because looking up a zone is slow.
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' });
    const dayOf = (account: string, atUtc: string) => `${account} ${format.format(new Date(atUtc))}`;
    const isMovable = new Set(toBeSent);
    const fixed = [
      ...undeclared.flatMap(({ account, live }) =>
        live.scheduled_at == null ? [] : [dayOf(account, live.scheduled_at)],
      ),
      ...declared.flatMap((one) =>
        one.kind === 'broadcast' && !isMovable.has(one) && sent.has(formatAddress(one.address))
          ? [dayOf(one.address.account, one.scheduledAtUtc)]
          : [],
      ),
    ];
    const fixedByDay = groupBy(fixed, (day) => day);
    const movable = toBeSent.filter((one) => one.kind === 'broadcast');
    const days = groupBy(movable, ({ address, scheduledAtUtc }) => dayOf(address.account, scheduledAtUtc));
    return [...days].flatMap(([day, own]) => {
      const others = fixedByDay.get(day)?.length ?? 0;
      const number = own.length + others;
      const late = own.toSorted(
        (left, right) =>
          Date.parse(left.scheduledAtUtc) - Date.parse(right.scheduledAtUtc) ||
          compareText(left.address.name, right.address.name),
      );
      return late.slice(Math.max(0, limit - others)).map((resource) => {
        const { account } = resource.address;
        const when = day.slice(account.length + 1);
        const message = `${account} has ${number} broadcast${number === 1 ? '' : 's'} on ${when} in ${timezone}, more than policy.max_broadcasts_per_day ${limit}. Move it to another day.`;
        return { resource, path: ['scheduled_at'], message };
      });
    });
  },
};

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
