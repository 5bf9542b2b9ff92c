import { accountOf } from './access.ts';
import type { Call } from './call.ts';
import { recallCampaign, setCampaignStatus, setCampaignTimers } from './campaign-lifecycle.ts';
import {
  fillCampaignRules,
  fillMessages,
  keepFilters,
  keepName,
  readFilters,
  requireContent,
  requireName,
} from './content.ts';
import { takeId } from './ids.ts';
import { delayVisibility, showOldStatus, shownStatus } from './lag.ts';
import { pageOf } from './paging.ts';
import { drawBelow, shuffle } from './random.ts';
import { rewriteLater } from './late-rewrite.ts';
import { isoTime, recordCommit } from './records.ts';
import { invalid, notFound, Refusal } from './refusal.ts';
import { NO_STATS, type AccountState, type Campaign } from './state.ts';
import type { World } from './world.ts';

/** Hides only archived campaigns, unless they are requested (CAMPAIGN-15). */
export function listCampaigns(world: World, call: Call<'campaigns.list'>): object {
  const account = accountOf(world, call.params.account_id);
  const isNewScan = (call.query.offset ?? 0) === 0;
  if (isNewScan && world.modes.campaignOrder === 'reshuffled') shuffle(world, account.campaignOrder);
  const listed = orderOf(world, account).flatMap((id) => {
    const campaign = account.campaigns[id];
    if (campaign === undefined || campaign.listedFromMs > world.nowMs) return [];
    const isShown = call.query.include_archived || shownStatus(world, campaign, 'list') !== 'archived';
    return isShown ? [campaign] : [];
  });
  const page = pageOf(listed, call.query, call.effects);
  return {
    items: page.items.map((campaign) => readCampaign(world, campaign, 'list')),
    has_more: page.has_more,
  };
}

function orderOf({ modes }: World, { campaignOrder, campaigns }: AccountState): readonly string[] {
  if (modes.campaignOrder !== 'last_change') return campaignOrder;
  const changedMs = (id: string) => campaigns[id]?.statusSinceMs ?? 0;
  return campaignOrder.toSorted((left, right) => changedMs(right) - changedMs(left));
}

export function getCampaign(world: World, { params }: Call<'campaigns.get'>): object {
  const campaign = campaignOf(world, params);
  if (campaign.foundFromMs > world.nowMs) throw notFound('Campaign');
  return readCampaign(world, campaign, 'single read');
}

/** A new campaign is live at once (CAMPAIGN-1). */
export function createCampaign(world: World, call: Call<'campaigns.create'>): object {
  const { body, key, cause, effects } = call;
  const messages = body.messages ?? [];
  const name = keepName(world, body.name);
  requireContent(world, messages);
  requireName(world, name, messages);
  if (body.action === 'start_mimic' && messages.length > 0)
    throw invalid(world.modes, 'a start_mimic campaign has no messages', 'messages');
  const account = accountOf(world, call.params.account_id);
  const campaign = newCampaign(world, account, {
    name,
    trigger: body.trigger,
    action: body.action,
    created_by: { type: 'api_token', id: key.id },
    rules: fillCampaignRules(body.rules),
    audience_filters: keepFilters(world, account, body.audience_filters ?? []),
    messages: fillMessages(messages),
  });
  delayVisibility(world, campaign, effects);
  putCampaign(world, account, campaign);
  rewriteLater(world, 'campaign', campaign.live, effects);
  recordCommit(world, cause, 'campaign', 'create', campaign.live);
  return readCampaign(world, campaign, 'single read');
}

/** An active campaign with a greeting. By default a person created it. */
export function newCampaign(
  world: World,
  account: AccountState,
  parts: Partial<Campaign['live']> = {},
): Campaign {
  return {
    live: {
      id: takeId(world, 'nextCampaignId'),
      account_id: account.live.id,
      name: 'Seeded campaign',
      trigger: 'welcome_message',
      action: 'send_message',
      status: 'active',
      created_by: { type: 'user', id: '9001' },
      created_at: isoTime(world.nowMs),
      rules: fillCampaignRules(),
      audience_filters: [],
      messages: fillMessages([{ text: 'Hello' }]),
      targeted_sends_count: 0,
      stats: { ...NO_STATS },
      ...parts,
    },
    statusSinceMs: world.nowMs,
    listedFromMs: world.nowMs,
    foundFromMs: 0,
    statusLag: null,
    queue: [],
  };
}

/** Inserts it at a random position: the document states no order (CAMPAIGN-15). */
export function putCampaign(world: World, account: AccountState, campaign: Campaign): void {
  const { campaignOrder } = account;
  account.campaigns[campaign.live.id] = campaign;
  campaignOrder.splice(drawBelow(world, campaignOrder.length + 1), 0, campaign.live.id);
  setCampaignTimers(world, campaign);
}

export function patchCampaign(world: World, call: Call<'campaigns.set-status'>): null {
  const campaign = campaignOf(world, call.params);
  const before = campaign.live.status;
  setCampaignStatus(world, campaign, call.body.status, call.cause, call.effects.partly);
  showOldStatus(world, campaign, before, call.effects);
  if (call.effects.partly) throw new Refusal(502, 'Bad gateway');
  return null;
}

export function unsendCampaign(world: World, { params, cause, effects }: Call<'campaigns.unsend'>): null {
  const campaign = campaignOf(world, params);
  const before = campaign.live.status;
  recallCampaign(world, campaign, cause);
  showOldStatus(world, campaign, before, effects);
  return null;
}

/** A campaign as in answers. If the API does not name its action, the messages are hidden too. */
function readCampaign(world: World, campaign: Campaign, by: 'list' | 'single read'): Record<string, unknown> {
  const { live } = campaign;
  const { stats, ...rest } = live;
  const messages = live.action === null ? [] : live.messages;
  return {
    ...rest,
    status: shownStatus(world, campaign, by),
    audience_filters: readFilters(world, live.audience_filters),
    messages,
    first_message_stats: stats,
    follow_up_message_stats: messages.slice(1).map(({ step }) => ({ step, ...NO_STATS })),
    ...(world.modes.extraFields ? { revision: 1 } : {}),
  };
}

function campaignOf(world: World, params: { account_id: string; campaign_id: string }): Campaign {
  const campaign = accountOf(world, params.account_id).campaigns[params.campaign_id];
  if (campaign === undefined) throw notFound('Campaign');
  return campaign;
}
