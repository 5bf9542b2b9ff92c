import * as z from 'zod/mini';
import {
  declaredFilterShape,
  declaredOptionsShape,
  fanListShape,
  attachmentShape,
  messageShape,
  writtenPriceShape,
  CAMPAIGN_ACTIONS,
  CAMPAIGN_NAME_MAX,
  campaignRulesShape,
  BROADCAST_NAME_MAX,
  broadcastRulesShape,
} from '../domain/content.ts';
import { ALLOWANCE_NAMES } from '../domain/change-kinds.ts';
import type { ListedCode } from '../domain/codes.ts';
import { BROADCAST_TARGETS, CAMPAIGN_TARGETS } from '../domain/status.ts';
import {
  filledListShape,
  filledShape,
  maybeTextShape,
  textShape,
  withCode,
  withHelp,
} from '../domain/value-shapes.ts';
import { CI_SCOPES, LIST_STYLES, REQUIRE_APPROVAL, SERVICE_DEFAULTS } from '../domain/workspace.ts';
import { POLICY_RULES } from '../policy/rules.ts';
import { resolveInside, TEXT_LENGTH_MAX } from './text.ts';

/*
 * Shapes of the files, as people write them. If a message of a shape begins with `word: `, the finding gets that code.
 * Checks that need two fields or the source text (prices) are rules, not shapes.
 */

function optional<Shape extends z.core.$ZodType>(help: string, shape: Shape): z.ZodMiniOptional<Shape> {
  return withHelp(help, z.optional(shape));
}

function patternShape(pattern: RegExp, code: ListedCode, message: string) {
  return z.string().check(z.regex(pattern, withCode(code, message)));
}

function idLikeShape(pattern: RegExp, message: string) {
  const error = withCode(
    'unquoted-id',
    'Put the id in quotes: `id: "101"`. Without them, long ids lose digits.',
  );
  return z.string({ error }).check(z.regex(pattern, withCode('invalid-id', message)));
}

/** An id as written: quoted digits, or a variable. */
const writtenIdShape = idLikeShape(
  /^(?:0|[1-9]\d{0,18}|.*\{\{.*)$/,
  'Write up to 19 digits without leading zeros, or a {{variable}}.',
);

const writtenIdsShape = z.array(writtenIdShape);

/** The service never returns the name. The id makes drift visible. */
const writtenListShape = z.extend(fanListShape, {
  id: optional('Id of the list, so that drift is visible.', writtenIdShape),
});

const writtenFilterShape = z.extend(declaredFilterShape, {
  options: z.optional(
    z.extend(declaredOptionsShape, {
      lists: z.optional(
        filledListShape(writtenListShape, 'empty-list', 'Add at least one fan list, or remove `lists`.'),
      ),
    }),
  ),
});

/** The service does not say what the id of media looks like (CONTENT-8). */
const writtenMediaIdShape = idLikeShape(
  /^(?:\S+|.*\{\{.*)$/,
  'Write the id of the media, without spaces, or a {{variable}}.',
);

const vaultAttachmentShape = z.extend(attachmentShape, {
  id: withHelp('Id of media in the vault. Or set file.', writtenMediaIdShape),
});

/** Media of a file, with facts that Herald sends to the vault with it (VAULT-5, VAULT-10). */
export const fileAttachmentShape = z.strictObject({
  file: withHelp(
    'Picture, video or sound, relative to this file. Uploaded once per account.',
    z.clone(filledShape),
  ),
  name: optional('Name in the vault. Without it, the name of the file.', filledShape),
  content_type: optional('Such as image/jpeg. Without it, told from the file.', filledShape),
  duration: optional('Seconds of a video or sound.', z.number().check(z.minimum(0))),
  fan: optional('Link of the fan that the media is for.', filledShape),
  export_fan_id: optional('Id of the fan that the media is for. Or set fan.', writtenIdShape),
  rf_guest: optional('Ids of guests in the media.', writtenIdsShape),
  rf_partner: optional('Ids of partners in the media.', writtenIdsShape),
  rf_tag: optional('Ids of tags of the media.', writtenIdsShape),
  is_paid: attachmentShape.shape.is_paid,
});

const writtenMessageShape = z.extend(messageShape, {
  text: withHelp(
    '{{variable}} inserts a variable of the account; \\{{ is a literal {{.',
    z.nullish(z.string().check(z.maxLength(TEXT_LENGTH_MAX))),
  ),
  text_file: optional('File with the text, relative to this file. Not with text.', filledShape),
  price_gross: optional('US dollars with up to two decimals.', writtenPriceShape),
  attachments: z.optional(z.array(z.union([vaultAttachmentShape, fileAttachmentShape]))),
  tagged_platform_account_ids: z.optional(writtenIdsShape),
});

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

const endKeys = { end_at: maybeTextShape, end_at_timezone: optional(ZONE_HELP, textShape) };

const ignoreShape = withHelp(
  'Fields that plans do not compare, such as rules.online_check_mode or messages.*.price_gross. They are still sent in a create.',
  // No resource has as many fields.
  z.array(filledShape).check(z.maxLength(200, withCode('invalid-value', 'Write at most 200 paths.'))),
);

const sharedKeys = {
  accounts: optional('Replaces the file’s accounts.', accountsShape),
  renamed_from: optional('Former name, so that a rename does not send again.', textShape),
  protect: optional('true blocks changes that would pause, archive, replace or recall it.', z.boolean()),
  ignore: z.optional(ignoreShape),
  // A rule checks that exactly one of the two is set.
  audience: optional('Sends to every fan. Otherwise set audience_filters.', z.literal('everyone')),
  audience_filters: optional(
    'At least one filter. For every fan, write `audience: everyone`.',
    z.array(writtenFilterShape),
  ),
  messages: optional('One message, or a sequence in this order.', z.array(writtenMessageShape)),
};

/**
 * The document does not say what it counts, so a name must fit in UTF-16 units, the largest number: an emoji has two. A
 * service that counts them would refuse it in the middle of an apply (CONTENT-2).
 */
function nameShape(most: number) {
  const error = withCode('too-long', `Write at most ${most} characters; an emoji counts as two or more.`);
  const fits = z.refine<string>((name) => name.length <= most, error);
  return withHelp('Unique per account and kind.', z.string().check(z.minLength(1), z.maxLength(most), fits));
}

export const campaignShape = z.strictObject({
  name: nameShape(CAMPAIGN_NAME_MAX),
  status: optional('Default: active.', z.enum(CAMPAIGN_TARGETS)),
  trigger: filledShape,
  action: withHelp('start_mimic has no messages.', z.enum(CAMPAIGN_ACTIONS)),
  rules: z.optional(z.extend(campaignRulesShape, endKeys)),
  replace: optional(
    'pause_first (default) may lose a trigger; create_first may send twice.',
    z.enum(['pause_first', 'create_first']),
  ),
  old_queue: optional('Queue of the replaced version. Default: keep.', z.enum(['keep', 'clear'])),
  ...sharedKeys,
});

export const broadcastShape = z.strictObject({
  name: nameShape(BROADCAST_NAME_MAX),
  status: optional('Default: scheduled.', z.enum(BROADCAST_TARGETS)),
  scheduled_at: optional(`${HOUR_HELP} Required; Herald never sends immediately.`, textShape),
  scheduled_at_timezone: optional(ZONE_HELP, textShape),
  rules: z.optional(z.extend(broadcastRulesShape, endKeys)),
  ...sharedKeys,
});

export const resourceFileShape = z.strictObject({
  accounts: z.optional(accountsShape),
  campaigns: z.optional(z.array(campaignShape)),
  broadcasts: z.optional(z.array(broadcastShape)),
});

/** A name that the workspace gives to an account or a group. */
const aliasShape = patternShape(
  /^[A-Za-z][A-Za-z0-9._-]*$/,
  'invalid-alias',
  'Begin it with a letter, and use only letters, digits, ".", "_" and "-".',
);

function makeWordsShape(what: string) {
  return optional(`${what} that exist on the service but are not documented.`, z.array(filledShape));
}

const positiveShape = (most: number) =>
  z.number().check(z.positive(withCode('invalid-value', 'Write a number above 0.')), z.maximum(most));
const secondsShape = positiveShape(3600);
const platformShape = z.optional(
  patternShape(
    /^[A-Za-z0-9_-]+$/,
    'invalid-value',
    'Use only letters, digits, "_" and "-", because the word is part of URLs.',
  ),
);

/**
 * Names of headers for keys, in the characters of a header (RFC 9110, section 5.6.2). With a name that HTTP itself uses, such as
 * Host, the key would be lost or break the request.
 */
const KEY_HEADER = /^(?!proxy-)(?=x-|.*(?:auth|key|token|secret))[!#$%&'*+\-.^_`|~0-9a-z]+$/i;

const headerShape = z
  .string()
  .check(
    z.refine(
      (name) => KEY_HEADER.test(name),
      withCode(
        'invalid-header',
        'This is not a header for a key. Write the name that the service documents, such as x-svc-auth-token: letters, digits and "-".',
      ),
    ),
  );

/** What other programs take as a choice of texts or characters. Taken as names here, it could leave out files without a word. */
const UNKNOWN_SYNTAX = /[{}[\]]|[@!?+*]\(/;

const filesPatternShape = z.string().check(
  z.minLength(1),
  z.refine(
    (pattern) => !UNKNOWN_SYNTAX.test(pattern),
    withCode(
      'invalid-pattern',
      'Brackets have no meaning here. Use *, ? and ** only, and write one pattern for each choice.',
    ),
  ),
  z.refine(
    // A leading "!" excludes files.
    (pattern) => resolveInside('', pattern.replace(/^!/, '')) !== null,
    withCode('path-outside', 'This is outside the workspace. Write a pattern inside it, with "/".'),
  ),
);

const serviceShape = z.strictObject({
  base_url: optional(
    'Address of the service, https://… . ${NAME} inserts an environment variable.',
    filledShape,
  ),
  simulator: optional(
    'Instead of base_url: an embedded simulator, saved in this file.',
    z.string().check(
      z.minLength(1),
      z.refine(
        (file) => !file.includes('${'),
        withCode('environment-forbidden', 'Only service.base_url may use ${NAME}. Write the value itself.'),
      ),
    ),
  ),
  auth_header: optional(`Header for the key. Default: ${SERVICE_DEFAULTS.authHeader}.`, headerShape),
  platforms: z.optional(z.strictObject({ primary: platformShape, secondary: platformShape })),
  request_timeout_sec: optional(`Default: ${SERVICE_DEFAULTS.requestTimeoutSec}.`, secondsShape),
  settle_sec: optional(
    `How long a request without an answer may still succeed. Default: ${SERVICE_DEFAULTS.settleSec}.`,
    secondsShape,
  ),
  rate_share: optional(
    `Share of every published rate that Herald uses. Default: ${SERVICE_DEFAULTS.rateShare}.`,
    positiveShape(1),
  ),
  list_style: optional(
    `How lists are written in queries. Default: ${SERVICE_DEFAULTS.listStyle}.`,
    z.enum(LIST_STYLES),
  ),
  known_kinds: makeWordsShape('Kinds of audience filters'),
  known_triggers: makeWordsShape('Triggers'),
  known_media_types: makeWordsShape('Types of attachments'),
  known_online_check_modes: makeWordsShape('Values of rules.online_check_mode'),
});

const variableNameShape = patternShape(
  /^[A-Za-z_]\w*$/,
  'invalid-variable',
  'Begin it with a letter, and use only letters, digits and "_".',
);
const variableShape = z
  .string({ error: withCode('invalid-type', 'Put the variable in quotes.') })
  .check(
    z.refine(
      (text) => !text.includes('{{'),
      withCode('invalid-variable', 'A variable cannot contain another one.'),
    ),
  );

const accountShape = z.strictObject({
  id: z.optional(
    idLikeShape(/^(?:0|[1-9]\d{0,18})$/, 'Write up to 19 digits without leading zeros, in quotes.'),
  ),
  username: z.optional(filledShape),
  custom_label: z.optional(filledShape),
  platform_account_id: optional(
    'The id on the platform. Alone, or next to `id`: lists of traffic, revenue and payouts use it.',
    idLikeShape(/./, 'Write the id of the account on the platform.'),
  ),
  platform: optional(
    'Its platform. Only transactions can be read on the secondary one.',
    z.enum(['primary', 'secondary']),
  ),
  vars: optional('Values of {{variable}} for this account.', z.record(variableNameShape, variableShape)),
});

/** A branch is written into commands, so only plain names are accepted. */
const PLAIN_BRANCH = /^(?!.{101}|.*(?:\.\.|\.lock$))[A-Za-z0-9_][\w.-]*(?:\/[A-Za-z0-9_][\w.-]*)*$/;

const policyShape = z.strictObject(
  Object.fromEntries(POLICY_RULES.map(({ key, shape, help }) => [key, optional(help, shape)])),
);

const STATE = withCode('invalid-value', 'Write .herald, or a map with git_branch or with postgres.');

/** `state:` as it is read, with the name of the variable for `postgres`. */
export const stateShape = withHelp(
  'Where the state and the lease are kept.',
  z.union([
    withHelp('In the folder of the workspace. The default.', z.literal('.herald', { error: STATE })),
    z.strictObject({
      postgres: withHelp(
        'The variable with the address of the database.',
        z.pipe(
          patternShape(
            /^\$\{HERALD_\w+\}$/,
            'invalid-value',
            'Write ${HERALD_STATE_URL}: the address has a password, so it is not written here.',
          ),
          z.transform((text) => text.slice(2, -1)),
        ),
      ),
      workspace: withHelp(
        'The name of this workspace in the database.',
        patternShape(/^(?=.*\S).{1,100}$/, 'invalid-value', 'Write a name of up to 100 characters.'),
      ),
      lease_sec: withHelp(
        'A run that stops renewing loses its lease after this.',
        z._default(z.number().check(z.minimum(10), z.maximum(3600)), 60),
      ),
      retry_sec: withHelp(
        'How long a transaction is repeated if the database is gone.',
        z._default(z.number().check(z.minimum(0), z.maximum(3600)), 120),
      ),
    }),
    z.strictObject({
      git_branch: withHelp(
        'A branch of this repository that the jobs of CI write, in place of a database.',
        patternShape(PLAIN_BRANCH, 'invalid-value', 'Write the name of a branch: herald-state.'),
      ),
      remote: withHelp(
        'The name of the remote that has the branch. Default: origin.',
        z._default(
          patternShape(/^[A-Za-z0-9_][\w.-]*$/, 'invalid-value', 'Write the name of a remote: origin.'),
          'origin',
        ),
      ),
    }),
  ]),
);

const DAYS = withCode('invalid-value', 'Write a number of days, such as 90d.');

export const workspaceFileShape = z.strictObject({
  version: z.literal(1),
  service: optional('Required unless HERALD_BASE_URL is set.', serviceShape),
  accounts: z.optional(z.record(aliasShape, accountShape)),
  groups: z.optional(
    z.record(
      aliasShape,
      filledListShape(textShape, 'group-empty', 'Write at least one alias, or remove the group.'),
    ),
  ),
  files: z.optional(filledListShape(filesPatternShape, 'invalid-value', 'Write at least one pattern.')),
  allow: optional('Allowances for every run.', z.array(z.enum(ALLOWANCE_NAMES))),
  ignore: z.optional(ignoreShape),
  ownership: z.optional(z.strictObject({ name_prefix: filledShape })),
  policy: z.optional(policyShape),
  state: z.optional(stateShape),
  ci: z.optional(
    z.strictObject({
      scope: optional('What `herald ci plan` plans on a pull request. Default: changed.', z.enum(CI_SCOPES)),
      require_approval: optional(
        'Which changes `herald ci apply` carries out only if GitHub or GitLab says that the pull request is approved.',
        z.enum(REQUIRE_APPROVAL),
      ),
    }),
  ),
  events: z.optional(
    z.strictObject({
      keep: optional(
        'How long events are kept. Default: 90d.',
        z.string({ error: DAYS }).check(z.regex(/^[1-9]\d{0,3}d$/, DAYS)),
      ),
    }),
  ),
});

export type WrittenAccount = z.infer<typeof accountShape>;
export type WrittenService = z.infer<typeof serviceShape>;
export type WrittenCampaign = z.infer<typeof campaignShape>;
export type WrittenBroadcast = z.infer<typeof broadcastShape>;
export type WrittenMessage = z.infer<typeof writtenMessageShape>;
export type WrittenAttachment = NonNullable<WrittenMessage['attachments']>[number];
export type WrittenFileAttachment = z.infer<typeof fileAttachmentShape>;
export type WrittenFilter = z.infer<typeof writtenFilterShape>;
