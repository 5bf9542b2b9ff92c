import * as z from 'zod';
import {
  audienceFilterShape,
  messageShape,
  CAMPAIGN_ACTIONS,
  CAMPAIGN_NAME_MAX,
  campaignRulesShape,
  BROADCAST_NAME_MAX,
  broadcastRulesShape,
} from '../../domain/content.ts';
import { idShape } from '../../domain/ids.ts';
import { broadcastReplyShape, campaignReplyShape } from '../../domain/replies.ts';
import { BROADCAST_PATCH_STATUSES, CAMPAIGN_PATCH_STATUSES } from '../../domain/status.ts';
import { accountParams, flagParam, instantParam, offsetPage } from '../params.ts';
import type { Cells } from '../columns.ts';
import { READ, WRITE, type Row } from '../row.ts';

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
    rules: z
      .strictObject({ ...campaignRulesShape.shape, end_at: instantParam.nullable().optional() })
      .optional(),
    audience_filters: z.array(audienceFilterShape).optional(),
    messages: z.array(messageShape).optional(),
  })
  .refine(hasNeededName, NEEDS_NAME)
  .refine(({ action, messages = [] }) => action !== 'start_mimic' || messages.length === 0, {
    message: 'must be empty for start_mimic, which opens an automated chat',
    path: ['messages'],
  });
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

const STATS = {
  sent_messages_count: 'sent (first message)',
  replied_messages_count: 'replies',
  reply_rate: 'reply rate',
  unsent_messages_count: 'unsent (first message)',
  purchased_messages_count: 'purchases (first message)',
  purchased_amount_gross: 'purchased (gross, first message)',
  purchase_rate: 'purchase rate',
} as const;

/**
 * The figures of a member. The heading names the counted messages (CONTENT-25). A sequence can show more replies than sends. Its
 * rate is null then, and is not computed here.
 */
function statCells(member: string, repliesOf: 'first message' | 'all messages'): Cells {
  const cell = (name: string, header: string) => ({
    header: name === 'replied_messages_count' ? `${header} (${repliesOf})` : header,
    ...(member === 'stats' ? { figure: true as const } : {}),
    ...(name === 'reply_rate' ? { wide: true as const } : {}),
  });
  return Object.fromEntries(
    Object.entries(STATS).map(([name, header]) => [`${member}.${name}`, cell(name, header)]),
  );
}

const COMMON_CELLS: Cells = {
  name: { none: 'unnamed' },
  status: { none: 'unnamed' },
  account_id: 'account id',
};

const COMMON_RESOURCE = 'messages account_id created_by.type created_by.id rules';

/** What the calls have in common; five requests a second for each (LIMIT-2). */
const LIST = {
  ...READ,
  perSecond: 5,
  paging: { style: 'has_more', items: 'items', most: 100 },
  params: accountParams,
  query: z.strictObject({ ...offsetPage(100), include_archived: flagParam.optional() }),
} as const;
const GET = { ...READ, perSecond: 5, params: oneCampaign } as const;
const CREATE = { ...WRITE, params: accountParams, repeat: 'once', success: 201 } as const;
const CHANGE = { ...WRITE, perSecond: 5, params: oneCampaign } as const;
const SET_STATUS = { ...CHANGE, method: 'PATCH', repeat: 'status' } as const;
const UNSEND = { ...CHANGE, repeat: 'unsend', success: 204, reply: null } as const;

export const CAMPAIGN_ROWS = {
  'campaigns.list': {
    ...LIST,
    title: 'List Auto Messages campaigns',
    path: campaignsPath,
    permission: 'auto_messages.view',
    reply: listReply(campaignReplyShape),
    list: {
      columns: `id name status current created_at trigger action messages.length audience_filters targeted_sends_count
        first_message_stats.sent_messages_count first_message_stats.replied_messages_count
        first_message_stats.reply_rate`,
      more: `first_message_stats.unsent_messages_count first_message_stats.purchased_messages_count
        first_message_stats.purchased_amount_gross first_message_stats.purchase_rate follow_up_message_stats
        ${COMMON_RESOURCE}`,
      cells: {
        ...COMMON_CELLS,
        ...statCells('first_message_stats', 'first message'),
        current: { none: '-', lookedUp: true },
        trigger: { none: 'unnamed' },
        action: { none: 'unnamed', wide: true },
        'messages.length': 'messages',
        audience_filters: { header: 'audience', as: 'audience' },
        // A fan targeted twice counts twice (CONTENT-26), so these are not numbers of fans.
        targeted_sends_count: { wide: true },
      },
      examples: [
        'herald campaigns list',
        'herald campaigns list --account alice --archived --columns id,name,current,created_at',
      ],
    },
  },
  'campaigns.create': {
    ...CREATE,
    title: 'Create a campaign (live immediately)',
    path: campaignsPath,
    permission: 'auto_messages.edit',
    perSecond: 5,
    body: campaignCreateBody,
    reply: campaignReplyShape,
  },
  'campaigns.get': {
    ...GET,
    title: 'Read one campaign',
    path: `${campaignsPath}/{campaign_id}`,
    permission: 'auto_messages.view',
    // Assumed: the document states it only for broadcasts; here it applies to campaigns too (CAMPAIGN-16).
    mayBeUnreadable: true,
    reply: campaignReplyShape,
  },
  'campaigns.set-status': {
    ...SET_STATUS,
    title: 'Activate, pause or archive a campaign',
    path: `${campaignsPath}/{campaign_id}/status`,
    permission: 'auto_messages.edit',
    body: z.strictObject({ status: z.enum(CAMPAIGN_PATCH_STATUSES) }),
    success: 204,
    reply: null,
  },
  'campaigns.unsend': {
    ...UNSEND,
    title: 'Recall what a campaign sent in the last 24 hours (irreversible)',
    path: `${campaignsPath}/{campaign_id}/unsend`,
    permission: 'auto_messages.edit',
  },
} as const satisfies Record<string, Row>;

export const BROADCAST_ROWS = {
  'broadcasts.list': {
    ...LIST,
    title: 'List Priority Mass Messages broadcasts, newest first',
    path: broadcastsPath,
    permission: 'priority_mass_messages.view',
    reply: listReply(broadcastReplyShape),
    list: {
      // One that has left has no hour any more (BROADCAST-11).
      ownRange: { of: 'scheduled', members: ['scheduled_at', 'created_at'] },
      columns: `id name status state pause_reason scheduled_at messages.length audience_filters targeted_recipients_count
        progress_percent stats.sent_messages_count stats.replied_messages_count stats.reply_rate`,
      more: `created_at scheduled_at_timezone stats.unsent_messages_count stats.purchased_messages_count
        stats.purchased_amount_gross stats.purchase_rate ${COMMON_RESOURCE}`,
      cells: {
        ...COMMON_CELLS,
        ...statCells('stats', 'all messages'),
        state: { none: '-', lookedUp: true },
        pause_reason: { header: 'paused for', none: '-' },
        scheduled_at: { none: '-' },
        scheduled_at_timezone: { none: '-' },
        'messages.length': { header: 'messages', figure: true },
        audience_filters: { header: 'audience', as: 'audience', figure: true },
        targeted_recipients_count: { header: 'recipients', zero: 'not prepared', figure: true },
        progress_percent: { header: 'progress (%)', figure: true, wide: true },
      },
      examples: [
        'herald broadcasts list --account alice',
        'herald broadcasts list --state finished --from 30d',
      ],
    },
  },
  'broadcasts.create': {
    ...CREATE,
    title: 'Create a broadcast (live, not a draft; with a schedule in the past it is sent at once)',
    path: broadcastsPath,
    permission: 'priority_mass_messages.edit',
    // LIMIT-3
    perSecond: 1,
    body: broadcastCreateBody,
    reply: broadcastReplyShape,
  },
  'broadcasts.get': {
    ...GET,
    title: 'Read one broadcast',
    path: `${broadcastsPath}/{campaign_id}`,
    permission: 'priority_mass_messages.view',
    mayBeUnreadable: true,
    reply: broadcastReplyShape,
  },
  'broadcasts.set-status': {
    ...SET_STATUS,
    title: 'Pause or resume a broadcast',
    path: `${broadcastsPath}/{campaign_id}/status`,
    permission: 'priority_mass_messages.edit',
    body: z.strictObject({ status: z.enum(BROADCAST_PATCH_STATUSES) }),
    anySuccess: true,
    reply: z.looseObject({ status: z.string().nullish() }),
  },
  'broadcasts.unsend': {
    ...UNSEND,
    title: 'Recall a broadcast within 24 hours of its last status change (irreversible)',
    path: `${broadcastsPath}/{campaign_id}/unsend`,
    permission: 'priority_mass_messages.edit',
  },
} as const satisfies Record<string, Row>;
