import * as z from 'zod/mini';
import { withCode } from '../domain/coded-message.ts';
import { ALLOWANCE_NAMES } from '../domain/allowance.ts';
import { CI_SCOPES, REQUIRE_APPROVAL } from '../domain/workspace.ts';
import { BROADCAST_NAME_MAX, broadcastRulesShape } from '../domain/broadcast.ts';
import { CAMPAIGN_ACTIONS, CAMPAIGN_NAME_MAX, campaignRulesShape } from '../domain/campaign.ts';
import { filledShape, maybeTextShape, textShape } from '../domain/value-shapes.ts';
import { withHelp } from '../domain/with-help.ts';
import { BROADCAST_TARGETS, CAMPAIGN_TARGETS } from '../domain/status.ts';
import { audienceKeys, writtenMessageShape } from './content-shapes.ts';
import { policyShape } from './policy.ts';
import { accountShape, aliasShape, serviceShape, stateShape } from './setting-shapes.ts';

const HOUR_HELP = 'A whole hour: local time, with Z, or with an offset.';
const ZONE_HELP = 'IANA time zone of the local time, such as Europe/Berlin.';

const accountsShape = withHelp(
  'Aliases and groups of herald.yaml.',
  z
    .array(textShape, {
      error: withCode(
        'invalid-accounts',
        'Write a list of aliases and groups, such as [alice, vip]. "all" does not exist.',
      ),
    })
    .check(z.minLength(1, withCode('accounts-empty', 'Write at least one alias or group.'))),
);

const endKeys = {
  end_at: withHelp(`${HOUR_HELP} Null means no end.`, z.clone(maybeTextShape)),
  end_at_timezone: withHelp(ZONE_HELP, z.optional(textShape)),
};

const ignoreShape = withHelp(
  'Fields that plans do not compare, such as rules.online_check_mode or messages.*.price_gross. They are still sent in a create.',
  z.array(filledShape),
);

const sharedKeys = {
  accounts: withHelp('Replaces the file’s accounts.', z.optional(accountsShape)),
  renamed_from: withHelp('Former name, so that a rename does not send again.', z.optional(textShape)),
  protect: withHelp(
    'true blocks changes that would pause, archive, replace or recall it.',
    z.optional(z.boolean()),
  ),
  ignore: z.optional(ignoreShape),
  ...audienceKeys,
  messages: withHelp('One message, or a sequence in this order.', z.optional(z.array(writtenMessageShape))),
};

/**
 * The document does not say what it counts, so a name must fit in UTF-16 units, the largest number: an emoji has two. A
 * service that counts them would refuse it in the middle of an apply (CONTENT-2).
 */
function nameShape(most: number) {
  return withHelp(
    'Unique per account and kind.',
    z.string().check(
      z.minLength(1),
      z.maxLength(most),
      z.refine(
        // A name with too many characters is reported by the line above.
        (name) => name.length <= most || Array.from(name).length > most,
        withCode('too-long', `Write at most ${most} characters; an emoji counts as two or more.`),
      ),
    ),
  );
}

export const campaignShape = z.strictObject({
  name: nameShape(CAMPAIGN_NAME_MAX),
  status: withHelp('Default: active.', z.optional(z.enum(CAMPAIGN_TARGETS))),
  trigger: withHelp('Such as welcome_message.', z.clone(filledShape)),
  action: withHelp('start_mimic has no messages.', z.enum(CAMPAIGN_ACTIONS)),
  rules: z.optional(z.extend(campaignRulesShape, endKeys)),
  replace: withHelp(
    'pause_first (default) may lose a trigger; create_first may send twice.',
    z.optional(z.enum(['pause_first', 'create_first'])),
  ),
  old_queue: withHelp('Queue of the replaced version. Default: keep.', z.optional(z.enum(['keep', 'clear']))),
  ...sharedKeys,
});

export const broadcastShape = z.strictObject({
  name: nameShape(BROADCAST_NAME_MAX),
  status: withHelp('Default: scheduled.', z.optional(z.enum(BROADCAST_TARGETS))),
  scheduled_at: withHelp(`${HOUR_HELP} Required; Herald never sends immediately.`, z.optional(textShape)),
  scheduled_at_timezone: withHelp(ZONE_HELP, z.optional(textShape)),
  rules: z.optional(z.extend(broadcastRulesShape, endKeys)),
  ...sharedKeys,
});

/** A resource file, as written. */
export const resourceFileShape = z.strictObject({
  accounts: z.optional(accountsShape),
  campaigns: z.optional(z.array(campaignShape)),
  broadcasts: z.optional(z.array(broadcastShape)),
});

/** `herald.yaml`, as written. */
export const workspaceFileShape = z.strictObject({
  version: z.literal(1),
  service: withHelp('Required unless HERALD_BASE_URL is set.', z.optional(serviceShape)),
  accounts: z.optional(z.record(aliasShape, accountShape)),
  groups: z.optional(
    z.record(
      aliasShape,
      z
        .array(textShape)
        .check(z.minLength(1, withCode('group-empty', 'Write at least one alias, or remove the group.'))),
    ),
  ),
  files: z.optional(
    z.array(filledShape).check(z.minLength(1, withCode('invalid-value', 'Write at least one pattern.'))),
  ),
  allow: withHelp('Allowances for every run.', z.optional(z.array(z.enum(ALLOWANCE_NAMES)))),
  ignore: z.optional(ignoreShape),
  ownership: z.optional(z.strictObject({ name_prefix: filledShape })),
  policy: z.optional(policyShape),
  state: z.optional(stateShape),
  ci: z.optional(
    z.strictObject({
      scope: withHelp(
        'What `herald ci plan` plans on a pull request. Default: changed.',
        z.optional(z.enum(CI_SCOPES)),
      ),
      require_approval: withHelp(
        'Which changes `herald ci apply` carries out only if GitHub or GitLab says that the pull request is approved.',
        z.optional(z.enum(REQUIRE_APPROVAL)),
      ),
    }),
  ),
  events: z.optional(
    z.strictObject({
      keep: withHelp(
        'How long events are kept. Default: 90d.',
        z.optional(
          z
            .string()
            .check(
              z.regex(/^[1-9]\d{0,3}d$/, withCode('invalid-value', 'Write a number of days, such as 90d.')),
            ),
        ),
      ),
    }),
  ),
});

export type WrittenCampaign = z.infer<typeof campaignShape>;
export type WrittenBroadcast = z.infer<typeof broadcastShape>;
