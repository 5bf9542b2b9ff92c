import * as z from 'zod';
import { withCode } from '../domain/coded-message.ts';
import { ALLOWANCE_NAMES } from '../domain/allowance.ts';
import { CI_SCOPES } from '../domain/workspace.ts';
import { BROADCAST_NAME_MAX, broadcastRulesShape } from '../domain/broadcast.ts';
import { CAMPAIGN_ACTIONS, CAMPAIGN_NAME_MAX, campaignRulesShape } from '../domain/campaign.ts';
import { BROADCAST_TARGETS, CAMPAIGN_TARGETS } from '../domain/status.ts';
import { LIST_STYLES, SERVICE_DEFAULTS } from '../domain/workspace.ts';
import { audienceKeys, writtenMessageShape } from './content-shapes.ts';
import { policyShape } from './policy.ts';

const HOUR_HELP = 'A whole hour: local time, with Z, or with an offset.';
const ZONE_HELP = 'IANA time zone of the local time, such as Europe/Berlin.';

const accountsShape = z
  .array(z.string(), {
    error: withCode(
      'invalid-accounts',
      'Write a list of aliases and groups, such as [alice, vip]. "all" does not exist.',
    ),
  })
  .min(1, withCode('accounts-empty', 'Write at least one alias or group.'))
  .describe('Aliases and groups of herald.yaml.');

const endKeys = {
  end_at: z.string().nullable().optional().describe(`${HOUR_HELP} Null means no end.`),
  end_at_timezone: z.string().optional().describe(ZONE_HELP),
};

const ignoreShape = z
  .array(z.string().min(1))
  .describe(
    'Fields that plans do not compare, such as rules.online_check_mode or messages.*.price_gross. They are still sent in a create.',
  );

const sharedKeys = {
  accounts: accountsShape.optional().describe('Replaces the file’s accounts.'),
  renamed_from: z.string().optional().describe('Former name, so that a rename does not send again.'),
  protect: z
    .boolean()
    .optional()
    .describe('true blocks changes that would pause, archive, replace or recall it.'),
  ignore: ignoreShape.optional(),
  ...audienceKeys,
  messages: z.array(writtenMessageShape).optional().describe('One message, or a sequence in this order.'),
};

/**
 * The document does not say what it counts, so a name must fit in UTF-16 units, the largest number: an emoji has two. A
 * service that counts them would refuse it in the middle of an apply (CONTENT-2).
 */
function nameShape(most: number) {
  return z
    .string()
    .min(1)
    .max(most)
    .refine(
      // A name with too many characters is reported by the line above.
      (name) => name.length <= most || Array.from(name).length > most,
      withCode('too-long', `Write at most ${most} characters; an emoji counts as two or more.`),
    );
}

export const campaignShape = z.strictObject({
  name: nameShape(CAMPAIGN_NAME_MAX).describe('Unique per account and kind.'),
  status: z.enum(CAMPAIGN_TARGETS).optional().describe('Default: active.'),
  trigger: z.string().min(1).describe('Such as welcome_message.'),
  action: z.enum(CAMPAIGN_ACTIONS).describe('start_mimic has no messages.'),
  rules: campaignRulesShape.extend(endKeys).optional(),
  replace: z
    .enum(['pause_first', 'create_first'])
    .optional()
    .describe('pause_first (default) may lose a trigger; create_first may send twice.'),
  old_queue: z.enum(['keep', 'clear']).optional().describe('Queue of the replaced version. Default: keep.'),
  ...sharedKeys,
});

export const broadcastShape = z.strictObject({
  name: nameShape(BROADCAST_NAME_MAX).describe('Unique per account and kind.'),
  status: z.enum(BROADCAST_TARGETS).optional().describe('Default: scheduled.'),
  scheduled_at: z.string().optional().describe(`${HOUR_HELP} Required; Herald never sends immediately.`),
  scheduled_at_timezone: z.string().optional().describe(ZONE_HELP),
  rules: broadcastRulesShape.extend(endKeys).optional(),
  ...sharedKeys,
});

/** A resource file, as written. */
export const resourceFileShape = z.strictObject({
  accounts: accountsShape.optional(),
  campaigns: z.array(campaignShape).optional(),
  broadcasts: z.array(broadcastShape).optional(),
});

const WORD = /^[A-Za-z][A-Za-z0-9._-]*$/;
const aliasShape = z
  .string()
  .regex(
    WORD,
    withCode('invalid-alias', 'Begin it with a letter, and use only letters, digits, ".", "_" and "-".'),
  );

const serviceText = z.string().min(1);
const platformShape = serviceText.optional();
const secondsShape = z
  .number()
  .positive(withCode('invalid-value', 'Write a number above 0.'))
  .max(3600, withCode('invalid-value', 'Write at most 3600.'));

const wordsShape = (what: string) =>
  z.array(serviceText).optional().describe(`${what} that exist on the service but are not documented.`);

const serviceShape = z.strictObject({
  base_url: serviceText
    .optional()
    .describe('Address of the service, https://… . ${NAME} inserts an environment variable.'),
  simulator: serviceText
    .optional()
    .describe('Instead of base_url: an embedded simulator, saved in this file.'),
  auth_header: serviceText
    .optional()
    .describe(`Header for the key. Default: ${SERVICE_DEFAULTS.authHeader}.`),
  platforms: z.strictObject({ primary: platformShape, secondary: platformShape }).optional(),
  request_timeout_sec: secondsShape.optional().describe(`Default: ${SERVICE_DEFAULTS.requestTimeoutSec}.`),
  settle_sec: secondsShape
    .optional()
    .describe(
      `How long a request without an answer may still succeed. Default: ${SERVICE_DEFAULTS.settleSec}.`,
    ),
  rate_share: z
    .number()
    .positive(withCode('invalid-value', 'Write a number above 0.'))
    .max(1, withCode('invalid-value', 'Write at most 1.'))
    .optional()
    .describe(`Share of every published rate that Herald uses. Default: ${SERVICE_DEFAULTS.rateShare}.`),
  list_style: z
    .enum(LIST_STYLES)
    .optional()
    .describe(`How lists are written in queries. Default: ${SERVICE_DEFAULTS.listStyle}.`),
  warn_before_hours: z
    .number()
    .min(0, withCode('invalid-value', 'Write 0 or more hours.'))
    .max(168, withCode('invalid-value', 'Write at most 168 hours.'))
    .optional()
    .describe(
      `How long before a window closes a plan warns of it. Default: ${SERVICE_DEFAULTS.warnBeforeHours}.`,
    ),
  known_kinds: wordsShape('Kinds of audience filters'),
  known_triggers: wordsShape('Triggers'),
  known_media_types: wordsShape('Types of attachments'),
  known_online_check_modes: wordsShape('Values of rules.online_check_mode'),
});

const accountShape = z.strictObject({
  id: z
    .string({
      error: withCode(
        'unquoted-id',
        'Put the id in quotes: `id: "101"`. Without them, long ids lose digits.',
      ),
    })
    .regex(
      /^(?:0|[1-9]\d{0,18})$/,
      withCode('invalid-id', 'Write up to 19 digits without leading zeros, in quotes.'),
    )
    .optional(),
  username: z.string().min(1).optional(),
  custom_label: z.string().min(1).optional(),
  platform_account_id: z
    .string({
      error: withCode(
        'unquoted-id',
        'Put the id in quotes: `id: "101"`. Without them, long ids lose digits.',
      ),
    })
    .min(1)
    .optional()
    .describe(
      'The id on the platform. Alone, or next to `id`: lists of traffic, revenue and payouts use it.',
    ),
  platform: z
    .enum(['primary', 'secondary'])
    .optional()
    .describe('Its platform. Only transactions can be read on the secondary one.'),
  vars: z
    .record(
      z
        .string()
        .regex(
          /^[A-Za-z_]\w*$/,
          withCode('invalid-variable', 'Begin it with a letter, and use only letters, digits and "_".'),
        ),
      z
        .string({ error: withCode('invalid-type', 'Put the variable in quotes.') })
        .refine(
          (text) => !text.includes('{{'),
          withCode('invalid-variable', 'A variable cannot contain another one.'),
        ),
    )
    .optional()
    .describe('Values of {{variable}} for this account.'),
});

const storeTextsShape = z
  .boolean()
  .describe('false: the ledger has a digest in place of each message text. The default is true.');

/** `herald.yaml`, as written. */
const stateShape = z
  .union([
    z.literal('.herald').describe('Files next to the workspace. The default.'),
    z.strictObject({
      postgres: z
        .string()
        .regex(
          /^\$\{HERALD_\w+\}$/,
          'Write ${HERALD_STATE_URL}: the address has a password, so it is not written here',
        )
        .describe('The variable with the address of the database.'),
      workspace: z.string().regex(/\S/).max(100).describe('The name of this workspace in the database.'),
      lease_sec: z
        .number()
        .min(10)
        .max(3600)
        .optional()
        .describe('A run that stops renewing loses its lease after this.'),
      retry_sec: z
        .number()
        .min(0)
        .max(3600)
        .optional()
        .describe('How long a line is sent again if the database is gone.'),
      store_texts: storeTextsShape.optional(),
    }),
    z.strictObject({ store_texts: storeTextsShape }).describe('Files next to the workspace.'),
  ])
  .describe('Where the ledger and the lease are kept.');

export const workspaceFileShape = z.strictObject({
  version: z.literal(1),
  service: serviceShape.optional().describe('Required unless HERALD_BASE_URL is set.'),
  accounts: z.record(aliasShape, accountShape).optional(),
  groups: z
    .record(
      aliasShape,
      z.array(z.string()).min(1, withCode('group-empty', 'Write at least one alias, or remove the group.')),
    )
    .optional(),
  files: z
    .array(z.string().min(1))
    .min(1, withCode('invalid-value', 'Write at least one pattern.'))
    .optional(),
  allow: z.array(z.enum(ALLOWANCE_NAMES)).optional().describe('Allowances for every run.'),
  ignore: ignoreShape.optional(),
  ownership: z.strictObject({ name_prefix: z.string().min(1) }).optional(),
  policy: policyShape.optional(),
  state: stateShape.optional(),
  ci: z
    .strictObject({
      scope: z
        .enum(CI_SCOPES)
        .optional()
        .describe('What `herald ci plan` plans on a pull request. Default: changed.'),
    })
    .optional(),
  events: z
    .strictObject({
      keep: z
        .string()
        .regex(/^[1-9]\d{0,3}d$/, withCode('invalid-value', 'Write a number of days, such as 90d.'))
        .optional()
        .describe('How long events are kept. Default: 90d.'),
    })
    .optional(),
});

export type WrittenCampaign = z.infer<typeof campaignShape>;
export type WrittenBroadcast = z.infer<typeof broadcastShape>;
export type WrittenService = z.infer<typeof serviceShape>;
export type WrittenAccount = z.infer<typeof accountShape>;
