import * as z from 'zod';
import { audienceFilterShape } from '../../domain/audience.ts';
import { BROADCAST_NAME_MAX, broadcastRulesShape } from '../../domain/broadcast.ts';
import { CAMPAIGN_ACTIONS, CAMPAIGN_NAME_MAX, campaignRulesShape } from '../../domain/campaign.ts';
import { idShape } from '../../domain/ids.ts';
import { messageShape } from '../../domain/message.ts';
import { broadcastReplyShape, campaignReplyShape } from '../../domain/replies.ts';
import { BROADCAST_PATCH_STATUSES, CAMPAIGN_PATCH_STATUSES } from '../../domain/status.ts';
import { accountParams, flagParam, integerParam, offsetParam } from '../params.ts';
import { COLUMN, READ, WRITE, type Row } from '../row.ts';

const campaignsPath = '/api/v0/accounts/{account_id}/auto-message-campaigns';
const broadcastsPath = '/api/v0/accounts/{account_id}/priority-mass-message-campaigns';

const nameOf = (maximum: number) =>
  z
    .string()
    .min(1)
    .max(maximum)
    .regex(/\S/, 'must contain a character other than a space')
    .nullable()
    .optional();

const oneCampaign = accountParams.extend({ campaign_id: idShape });

const listQuery = z.strictObject({
  limit: integerParam(1, 100).optional(),
  offset: offsetParam,
  include_archived: flagParam.optional(),
});

/** `has_more` of another type counts as missing. The scan then continues until an empty page (LIST-4). */
const listReply = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({ items: z.array(item), has_more: z.unknown().optional() });

interface Named {
  readonly name?: string | null | undefined;
  readonly messages?: readonly z.infer<typeof messageShape>[] | undefined;
}

/** A sequence needs a name, and so does a message with media and no text (CONTENT-5). */
function hasNeededName({ name, messages = [] }: Named): boolean {
  const [first, ...others] = messages;
  const isMute = (first?.attachments ?? []).length > 0 && (first?.text ?? '').trim() === '';
  return typeof name === 'string' || (others.length === 0 && !isMute);
}

const NEEDS_NAME = {
  message: 'is required for several messages, and for a message with media and no text',
  path: ['name'],
};

const campaignCreateBody = z
  .strictObject({
    trigger: z.string().min(1),
    action: z.enum(CAMPAIGN_ACTIONS),
    name: nameOf(CAMPAIGN_NAME_MAX),
    rules: z.optional(campaignRulesShape),
    audience_filters: z.array(audienceFilterShape).optional(),
    messages: z.array(messageShape).optional(),
  })
  .refine(hasNeededName, NEEDS_NAME)
  .refine(({ action, messages = [] }) => action !== 'start_mimic' || messages.length === 0, {
    message: 'must be empty for start_mimic, which opens an automated chat',
    path: ['messages'],
  })
  .refine(
    ({ rules }) => rules?.end_at == null || z.iso.datetime({ offset: true }).safeParse(rules.end_at).success,
    {
      message: 'must be a date and time, such as `2026-12-31T18:00:00Z`',
      path: ['rules', 'end_at'],
    },
  );
export type CampaignCreateBody = z.infer<typeof campaignCreateBody>;

/** A wall-clock date and whole hour (BROADCAST-5). */
const wallClock = z.iso
  .datetime({ offset: true, local: true })
  .regex(/T\d\d:00(?::00(?:\.0+)?)?(?:Z|[+-]|$)/, 'must be a whole hour');

const broadcastCreateBody = z
  .strictObject({
    name: nameOf(BROADCAST_NAME_MAX),
    scheduled_at: wallClock.optional(),
    scheduled_at_timezone_mode: z.string().min(1).optional(),
    rules: z
      .strictObject({
        ...broadcastRulesShape.shape,
        end_at: wallClock.nullable().optional(),
        end_at_timezone_mode: z.string().min(1).optional(),
      })
      .optional(),
    audience_filters: z.array(audienceFilterShape).optional(),
    messages: z.array(messageShape).optional(),
  })
  .refine((body) => (body.scheduled_at === undefined) === (body.scheduled_at_timezone_mode === undefined), {
    message: 'scheduled_at and scheduled_at_timezone_mode go together or not at all',
    path: ['scheduled_at'],
  })
  .refine(hasNeededName, NEEDS_NAME);
export type BroadcastCreateBody = z.infer<typeof broadcastCreateBody>;

const { text, whole, number, instant } = COLUMN;

/**
 * The heading names the counted messages (CONTENT-25). A sequence can show more replies than sends. Its rate is null
 * then, and is not computed here.
 */
function statColumns(member: string, repliesOf: 'first message' | 'all messages') {
  const figure = (name: string, header: string) => number(`${member}.${name}`, header, { figure: true });
  return {
    sent: figure('sent_messages_count', 'sent (first message)'),
    replied: figure('replied_messages_count', `replies (${repliesOf})`),
    replyRate: { ...figure('reply_rate', 'reply rate'), wide: true },
    others: [
      figure('unsent_messages_count', 'unsent (first message)'),
      figure('purchased_messages_count', 'purchases (first message)'),
      COLUMN.money(`${member}.purchased_amount_gross`, 'purchased (gross, first message)', { figure: true }),
      figure('purchase_rate', 'purchase rate'),
    ],
  } as const;
}

const CAMPAIGN_STATS = statColumns('first_message_stats', 'first message');
const BROADCAST_STATS = statColumns('stats', 'all messages');

const NAME = text('name', 'name', { none: 'unnamed' });
const STATUS = whole('status', 'status', { none: 'unnamed' });
const CREATED = instant('created_at', 'created');
const COMMON_RESOURCE = [
  text('messages'),
  whole('account_id'),
  text('created_by.type'),
  whole('created_by.id'),
  text('rules'),
];

/** Campaigns; five requests a second for each (LIMIT-2). */
export const CAMPAIGN_ROWS = {
  'campaigns.list': {
    ...READ,
    title: 'List Auto Messages campaigns',
    path: campaignsPath,
    permission: 'auto_messages.view',
    perSecond: 5,
    paging: { style: 'has_more', items: 'items', identity: 'id', pageLimit: { least: 1, most: 100 } },
    params: accountParams,
    query: listQuery,
    reply: listReply(campaignReplyShape),
    list: {
      words: 'campaigns list',
      rows: 'campaigns',
      filters: ['archived'],
      columns: [
        whole('id'),
        NAME,
        STATUS,
        text('current', 'current', { none: '-', lookedUp: true }),
        CREATED,
        text('trigger', 'trigger', { none: 'unnamed' }),
        text('action', 'action', { none: 'unnamed', wide: true }),
        number('messages.length', 'messages'),
        { path: 'audience_filters', header: 'audience', as: 'audience' },
        // A fan targeted twice counts twice (CONTENT-26), so these are not numbers of fans.
        number('targeted_sends_count', 'targeted sends', { wide: true }),
        CAMPAIGN_STATS.sent,
        CAMPAIGN_STATS.replied,
        CAMPAIGN_STATS.replyRate,
      ],
      more: [...CAMPAIGN_STATS.others, text('follow_up_message_stats'), ...COMMON_RESOURCE],
      examples: [
        'herald campaigns list',
        'herald campaigns list --account alice --archived --columns id,name,current,created_at',
      ],
    },
  },
  'campaigns.create': {
    ...WRITE,
    title: 'Create a campaign (live immediately)',
    path: campaignsPath,
    permission: 'auto_messages.edit',
    perSecond: 5,
    repeat: 'once',
    params: accountParams,
    body: campaignCreateBody,
    success: 201,
    reply: campaignReplyShape,
  },
  'campaigns.get': {
    ...READ,
    title: 'Read one campaign',
    path: `${campaignsPath}/{campaign_id}`,
    permission: 'auto_messages.view',
    perSecond: 5,
    params: oneCampaign,
    // Assumed: the document states it only for broadcasts; here it applies to campaigns too (CAMPAIGN-16).
    mayBeUnreadable: true,
    reply: campaignReplyShape,
  },
  'campaigns.set-status': {
    ...WRITE,
    title: 'Activate, pause or archive a campaign',
    method: 'PATCH',
    path: `${campaignsPath}/{campaign_id}/status`,
    permission: 'auto_messages.edit',
    perSecond: 5,
    repeat: 'status',
    params: oneCampaign,
    body: z.strictObject({ status: z.enum(CAMPAIGN_PATCH_STATUSES) }),
    success: 204,
    reply: null,
  },
  'campaigns.unsend': {
    ...WRITE,
    title: 'Recall what a campaign sent in the last 24 hours (irreversible)',
    path: `${campaignsPath}/{campaign_id}/unsend`,
    permission: 'auto_messages.edit',
    perSecond: 5,
    repeat: 'unsend',
    params: oneCampaign,
    success: 204,
    reply: null,
  },
} as const satisfies Record<string, Row>;

/** Broadcasts; the create has one request a second (LIMIT-3). */
export const BROADCAST_ROWS = {
  'broadcasts.list': {
    ...READ,
    title: 'List Priority Mass Messages broadcasts, newest first',
    path: broadcastsPath,
    permission: 'priority_mass_messages.view',
    perSecond: 5,
    paging: { style: 'has_more', items: 'items', identity: 'id', pageLimit: { least: 1, most: 100 } },
    params: accountParams,
    query: listQuery,
    reply: listReply(broadcastReplyShape),
    list: {
      words: 'broadcasts list',
      rows: 'broadcasts',
      // One that has left has no hour any more (BROADCAST-11).
      range: { of: 'scheduled', members: ['scheduled_at', 'created_at'] },
      filters: ['archived'],
      filledWhenReadable: 'messages',
      columns: [
        whole('id'),
        NAME,
        STATUS,
        text('state', 'state', { lookedUp: true }),
        text('pause_reason', 'paused for', { none: '-' }),
        instant('scheduled_at', 'scheduled', { none: '-' }),
        number('messages.length', 'messages', { figure: true }),
        { path: 'audience_filters', header: 'audience', as: 'audience', figure: true },
        number('targeted_recipients_count', 'recipients', { zero: 'not prepared', figure: true }),
        number('progress_percent', 'progress (%)', { figure: true, wide: true }),
        BROADCAST_STATS.sent,
        BROADCAST_STATS.replied,
        BROADCAST_STATS.replyRate,
      ],
      more: [
        CREATED,
        text('scheduled_at_timezone', 'scheduled_at_timezone', { none: '-' }),
        ...BROADCAST_STATS.others,
        ...COMMON_RESOURCE,
      ],
      examples: [
        'herald broadcasts list --account alice',
        'herald broadcasts list --state finished --from 30d',
      ],
    },
  },
  'broadcasts.create': {
    ...WRITE,
    title: 'Create a broadcast (live, not a draft; with a schedule in the past it is sent at once)',
    path: broadcastsPath,
    permission: 'priority_mass_messages.edit',
    perSecond: 1,
    repeat: 'once',
    params: accountParams,
    body: broadcastCreateBody,
    success: 201,
    reply: broadcastReplyShape,
  },
  'broadcasts.get': {
    ...READ,
    title: 'Read one broadcast',
    path: `${broadcastsPath}/{campaign_id}`,
    permission: 'priority_mass_messages.view',
    perSecond: 5,
    params: oneCampaign,
    mayBeUnreadable: true,
    reply: broadcastReplyShape,
  },
  'broadcasts.set-status': {
    ...WRITE,
    title: 'Pause or resume a broadcast',
    method: 'PATCH',
    path: `${broadcastsPath}/{campaign_id}/status`,
    permission: 'priority_mass_messages.edit',
    perSecond: 5,
    repeat: 'status',
    params: oneCampaign,
    body: z.strictObject({ status: z.enum(BROADCAST_PATCH_STATUSES) }),
    anySuccess: true,
    reply: z.looseObject({ status: z.string().nullish() }),
  },
  'broadcasts.unsend': {
    ...WRITE,
    title: 'Recall a broadcast within 24 hours of its last status change (irreversible)',
    path: `${broadcastsPath}/{campaign_id}/unsend`,
    permission: 'priority_mass_messages.edit',
    perSecond: 5,
    repeat: 'unsend',
    params: oneCampaign,
    success: 204,
    reply: null,
  },
} as const satisfies Record<string, Row>;
