import * as z from 'zod';
import { withCode } from '../domain/coded-message.ts';
import { ALLOWANCE_NAMES } from '../domain/allowance.ts';
import { BROADCAST_NAME_MAX, broadcastRulesShape } from '../domain/broadcast.ts';
import { CAMPAIGN_ACTIONS, CAMPAIGN_NAME_MAX, campaignRulesShape } from '../domain/campaign.ts';
import { BROADCAST_TARGETS, CAMPAIGN_TARGETS } from '../domain/status.ts';
import { SERVICE_DEFAULTS } from '../domain/workspace.ts';
import { audienceKeys, writtenMessageShape } from './content-shapes.ts';
import { policyShape } from './policy.ts';

const HOUR_HELP = 'A whole hour: wall clock, with Z, or with an offset.';
const ZONE_HELP = 'The IANA zone of the wall clock, for instance Europe/Berlin.';

const accountsShape = z
  .array(z.string(), {
    error: withCode(
      'invalid-accounts',
      'Write a list of aliases and groups, such as [alice, vip]; there is no "all".',
    ),
  })
  .min(1, withCode('accounts-empty', 'Name at least one alias or group.'))
  .describe('Aliases and groups of herald.yaml.');

const endKeys = {
  end_at: z.string().nullable().optional().describe(`${HOUR_HELP} null for no end.`),
  end_at_timezone: z.string().optional().describe(ZONE_HELP),
};

const ignoreShape = z
  .array(z.string().min(1))
  .describe(
    'Fields that no plan compares, such as rules.online_check_mode or messages.*.price_gross. They are still sent when something is created.',
  );

const sharedKeys = {
  accounts: accountsShape.optional().describe('Instead of the file’s accounts.'),
  renamed_from: z
    .string()
    .optional()
    .describe('The name it bore before, so that a rename sends nothing again.'),
  protect: z
    .boolean()
    .optional()
    .describe('true holds back whatever would pause, archive, replace or recall it.'),
  ignore: ignoreShape.optional(),
  ...audienceKeys,
  messages: z.array(writtenMessageShape).optional().describe('One message, or a sequence in this order.'),
};

export const campaignShape = z.strictObject({
  name: z.string().min(1).max(CAMPAIGN_NAME_MAX).describe('The identity: unique per account.'),
  status: z.enum(CAMPAIGN_TARGETS).optional().describe('active unless said.'),
  trigger: z.string().min(1).describe('For instance welcome_message.'),
  action: z.enum(CAMPAIGN_ACTIONS).describe('start_mimic has no messages.'),
  rules: campaignRulesShape.extend(endKeys).optional(),
  replace: z
    .enum(['pause_first', 'create_first'])
    .optional()
    .describe('pause_first (default) may lose a trigger, create_first may send twice.'),
  old_queue: z
    .enum(['keep', 'clear'])
    .optional()
    .describe('What the replaced version still has queued; keep unless said.'),
  ...sharedKeys,
});

export const broadcastShape = z.strictObject({
  name: z.string().min(1).max(BROADCAST_NAME_MAX).describe('The identity: unique per account.'),
  status: z.enum(BROADCAST_TARGETS).optional().describe('scheduled unless said.'),
  scheduled_at: z.string().optional().describe(`${HOUR_HELP} Required: nothing is ever sent at once.`),
  scheduled_at_timezone: z.string().optional().describe(ZONE_HELP),
  rules: broadcastRulesShape.extend(endKeys).optional(),
  ...sharedKeys,
});

/** A resource file, as people write it. */
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
    withCode('invalid-alias', 'It begins with a letter and holds letters, digits, ".", "_" and "-" only.'),
  );

const serviceText = z.string().min(1);
const platformShape = serviceText.optional();
const secondsShape = z
  .number()
  .positive(withCode('invalid-value', 'It is more than 0.'))
  .max(3600, withCode('invalid-value', 'It is at most 3600.'));

const wordsShape = (what: string) =>
  z
    .array(serviceText)
    .optional()
    .describe(`${what} that the service has although its documentation does not name them.`);

const serviceShape = z.strictObject({
  base_url: serviceText.optional().describe('https://… of the service; ${NAME} reads the environment.'),
  simulator: serviceText.optional().describe('Instead of base_url: the embedded service, kept in this file.'),
  auth_header: serviceText
    .optional()
    .describe(`The header that carries the key; ${SERVICE_DEFAULTS.authHeader} unless said.`),
  platforms: z.strictObject({ primary: platformShape, secondary: platformShape }).optional(),
  request_timeout_sec: secondsShape.optional().describe(`${SERVICE_DEFAULTS.requestTimeoutSec} unless said.`),
  settle_sec: secondsShape
    .optional()
    .describe(`How long a lost create may still commit; ${SERVICE_DEFAULTS.settleSec} unless said.`),
  rate_share: z
    .number()
    .positive(withCode('invalid-value', 'It is more than 0.'))
    .max(1, withCode('invalid-value', 'It is at most 1.'))
    .optional()
    .describe(`The share of every published rate that is taken; ${SERVICE_DEFAULTS.rateShare} unless said.`),
  known_kinds: wordsShape('Kinds of audience filters'),
  known_triggers: wordsShape('Triggers'),
  known_media_types: wordsShape('Types of attachments'),
  known_online_check_modes: wordsShape('Values of rules.online_check_mode'),
});

const accountShape = z.strictObject({
  id: z
    .string({ error: withCode('unquoted-id', 'An id is text: put it in quotes, or digits get lost.') })
    .regex(
      /^(?:0|[1-9]\d{0,18})$/,
      withCode('invalid-id', 'An id is at most 19 digits, without leading zeros, in quotes.'),
    )
    .optional(),
  username: z.string().min(1).optional(),
  custom_label: z.string().min(1).optional(),
  platform_account_id: z
    .string({ error: withCode('unquoted-id', 'An id is text: put it in quotes, or digits get lost.') })
    .min(1)
    .optional(),
  vars: z
    .record(
      z
        .string()
        .regex(
          /^[A-Za-z_]\w*$/,
          withCode('invalid-variable', 'It begins with a letter and holds letters, digits and "_" only.'),
        ),
      z
        .string({ error: withCode('invalid-type', 'A variable is text: put it in quotes.') })
        .refine(
          (text) => !text.includes('{{'),
          withCode('invalid-variable', 'A variable cannot hold another one.'),
        ),
    )
    .optional()
    .describe('What {{variable}} stands for on this account.'),
});

/** `herald.yaml`, as people write it. */
export const workspaceFileShape = z.strictObject({
  version: z.literal(1),
  service: serviceShape.optional().describe('Required unless HERALD_BASE_URL is set.'),
  accounts: z.record(aliasShape, accountShape).optional(),
  groups: z
    .record(
      aliasShape,
      z.array(z.string()).min(1, withCode('group-empty', 'Name at least one alias, or remove the group.')),
    )
    .optional(),
  files: z
    .array(z.string().min(1))
    .min(1, withCode('invalid-value', 'Give at least one pattern.'))
    .optional(),
  allow: z.array(z.enum(ALLOWANCE_NAMES)).optional().describe('Standing allowances.'),
  ignore: ignoreShape.optional(),
  ownership: z.strictObject({ name_prefix: z.string().min(1) }).optional(),
  policy: policyShape.optional(),
});

export type WrittenCampaign = z.infer<typeof campaignShape>;
export type WrittenBroadcast = z.infer<typeof broadcastShape>;
export type WrittenService = z.infer<typeof serviceShape>;
export type WrittenAccount = z.infer<typeof accountShape>;
