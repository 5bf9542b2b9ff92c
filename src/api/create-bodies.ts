import type { Reply } from './catalogue.ts';
import type { Client, Send } from './client.ts';
import type { BroadcastCreateBody, CampaignCreateBody } from './rows/messaging.ts';
import type { AudienceFilter, DeclaredFilter, DeclaredMessage, Message } from '../domain/content.ts';
import type { AccountId } from '../domain/ids.ts';
import type { Declared, DeclaredBroadcast, DeclaredCampaign } from '../domain/resource.ts';

/** The create of what is declared, as the service takes it. Optional parts that are not declared are not sent. */
export function prepareCreate(
  client: Client,
  accountId: AccountId,
  declared: Declared,
): Send<Reply<'campaigns.create'> | Reply<'broadcasts.create'>> {
  const params = { account_id: accountId };
  return declared.kind === 'campaign'
    ? client.prepare('campaigns.create', { params, body: campaignBody(declared) })
    : client.prepare('broadcasts.create', { params, body: broadcastBody(declared) });
}

function campaignBody({ address, content }: DeclaredCampaign): CampaignCreateBody {
  const { trigger, action, rules, audience_filters, messages } = content;
  return {
    trigger,
    action,
    name: address.name,
    audience_filters: audience_filters.map(filterBody),
    ...(action === 'start_mimic' ? {} : { messages: messages.map(messageBody) }),
    ...(isEmpty(rules) ? {} : { rules }),
  };
}

/**
 * The service reads schedules on the clock of the mode and ignores an offset (BROADCAST-4), so only UTC is ever sent. Without a
 * schedule, it is sent at once (BROADCAST-3).
 */
function broadcastBody({ address, content, scheduledAtUtc, atOnce }: DeclaredBroadcast): BroadcastCreateBody {
  const { rules, audience_filters, messages } = content;
  const ends = rules?.end_at === undefined || rules.end_at === null ? {} : { end_at_timezone_mode: 'utc' };
  return {
    name: address.name,
    ...(atOnce === true ? {} : { scheduled_at: scheduledAtUtc, scheduled_at_timezone_mode: 'utc' }),
    audience_filters: audience_filters.map(filterBody),
    messages: messages.map(messageBody),
    ...(isEmpty(rules) ? {} : { rules: { ...rules, ...ends } }),
  };
}

/** A pinned list id is for comparing: a create names the list (CONTENT-17). */
function filterBody({ kind, mode, options }: DeclaredFilter): AudienceFilter {
  if (options === undefined) return { kind, mode };
  const { from_days: fromDays, lists, ...rest } = options;
  if (typeof fromDays === 'string')
    throw new Error(`the range in days is missing, so it cannot be sent: ${fromDays}`);
  const days = fromDays === undefined ? {} : { from_days: fromDays };
  const named = lists === undefined ? {} : { lists: lists.map(({ name }) => ({ name })) };
  return { kind, mode, options: { ...rest, ...days, ...named } };
}

function messageBody({ attachments, ...message }: DeclaredMessage): Message {
  if (attachments === undefined) return message;
  const named = attachments.map((attachment) => {
    if (!('id' in attachment))
      throw new Error(`${attachment.file.path} has no media id, so no message can show it`);
    const { id, type, is_paid: isPaid = false } = attachment;
    return { is_paid: isPaid, id, type };
  });
  return { ...message, attachments: named };
}

function isEmpty(rules: object | undefined): boolean {
  return rules === undefined || Object.keys(rules).length === 0;
}
