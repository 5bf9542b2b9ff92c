import { accountOf } from './access.ts';
import { editAccount } from './account-edits.ts';
import type { Edit, Seed } from './fault-shape.ts';
import { seedChat, seedMessage } from './chat/handlers.ts';
import { newBroadcast, putBroadcast } from './broadcast-handlers.ts';
import { setBroadcastTimers } from './broadcast-lifecycle.ts';
import { newCampaign, putCampaign } from './campaign-handlers.ts';
import { setCampaignStatus, setCampaignTimers } from './campaign-lifecycle.ts';
import {
  fillBroadcastRules,
  fillCampaignRules,
  fillMessages,
  keepFilters,
  requireFreeId,
} from './content.ts';
import { seedPayoutRequest, setPayouts } from './payouts/lifecycle.ts';
import { BY_CONTROL } from './cause.ts';
import { recordCommit } from './records.ts';
import { notFound, Refusal } from './refusal.ts';
import type { BroadcastSeed, CampaignSeed } from './seed-shape.ts';
import type { AccountState, Broadcast, Campaign } from './state.ts';
import { seedVault } from './vault/seeds.ts';
import type { World } from './world.ts';

/** Changes live state without the API, as a person does on the service's own screens. */
export function applyEdit(world: World, edit: Edit): { readonly live: object } {
  switch (edit.kind) {
    case 'campaign':
      return editCampaign(world, edit.account_id, edit, edit.set);
    case 'broadcast':
      return editBroadcast(world, edit.account_id, edit, edit.set);
    case 'account':
      return editAccount(world, edit.account_id, edit.set);
  }
}

/** Adds an object to an account without the API. */
export function applySeed(world: World, seed: Seed): { readonly live: object } {
  switch (seed.kind) {
    case 'campaign':
      return seedCampaign(world, seed.account_id, seed.set);
    case 'broadcast':
      return seedBroadcast(world, seed.account_id, seed.set);
    case 'payout_request':
      return { live: seedPayoutRequest(world, accountOf(world, seed.account_id), seed.set) };
    case 'payouts':
      return { live: setPayouts(accountOf(world, seed.account_id), seed.set) };
    case 'chat':
      return { live: seedChat(accountOf(world, seed.account_id), seed.set) };
    case 'chat_message':
      return { live: seedMessage(world, accountOf(world, seed.account_id), seed.set) };
    case 'vault_folder':
    case 'vault_media':
    case 'vault_upload':
      return { live: seedVault(world, seed) };
  }
}

export function seedCampaign(world: World, accountId: string, seed: CampaignSeed): Campaign {
  const account = accountOf(world, accountId);
  const campaign = newCampaign(world, account);
  if (seed.id !== undefined) campaign.live.id = requireFreeId(account.campaigns, seed.id);
  assignCampaign(world, account, campaign, seed);
  if (seed.status !== undefined) campaign.live.status = seed.status;
  putCampaign(world, account, campaign);
  return campaign;
}

/** Without a schedule, it waits for a whole hour more than a day away. */
export function seedBroadcast(world: World, accountId: string, seed: BroadcastSeed): Broadcast {
  const account = accountOf(world, accountId);
  const tomorrowMs = Math.ceil(world.nowMs / 3_600_000 + 24) * 3_600_000;
  const waits =
    seed.scheduled_at !== null &&
    (seed.status === undefined || seed.status === 'scheduled' || seed.status === 'paused');
  const broadcast = newBroadcast(world, account, waits ? tomorrowMs : null);
  if (seed.id !== undefined) broadcast.live.id = requireFreeId(account.broadcasts, seed.id);
  assignBroadcast(world, account, broadcast, seed);
  putBroadcast(world, account, broadcast);
  return broadcast;
}

interface Wanted {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

export function editCampaign(world: World, accountId: string, wanted: Wanted, seed: CampaignSeed): Campaign {
  const account = accountOf(world, accountId);
  const campaign = findOne(account.campaigns, wanted, 'Campaign');
  assignCampaign(world, account, campaign, seed);
  const { status } = seed;
  if (status === 'active' || status === 'paused' || status === 'archived') {
    setCampaignStatus(world, campaign, status, BY_CONTROL);
  } else if (status !== undefined) {
    campaign.live.status = status;
    campaign.statusSinceMs = world.nowMs;
  }
  if (seed.status_since !== undefined) campaign.statusSinceMs = Date.parse(seed.status_since);
  setCampaignTimers(world, campaign);
  recordCommit(world, BY_CONTROL, 'campaign', 'edit', campaign.live);
  return campaign;
}

export function editBroadcast(
  world: World,
  accountId: string,
  wanted: Wanted,
  seed: BroadcastSeed,
): Broadcast {
  const account = accountOf(world, accountId);
  const broadcast = findOne(account.broadcasts, wanted, 'Broadcast');
  if (seed.status !== undefined) broadcast.statusSinceMs = world.nowMs;
  assignBroadcast(world, account, broadcast, seed);
  setBroadcastTimers(world, broadcast);
  recordCommit(world, BY_CONTROL, 'broadcast', 'edit', broadcast.live);
  return broadcast;
}

function assignCampaign(world: World, account: AccountState, campaign: Campaign, seed: CampaignSeed): void {
  const { trigger, action, targeted_sends_count, status_since } = seed;
  assignCommon(world, account, campaign.live, seed);
  Object.assign(campaign.live, given({ trigger, action, targeted_sends_count }));
  if (seed.rules !== undefined) campaign.live.rules = fillCampaignRules(seed.rules);
  if (status_since !== undefined) campaign.statusSinceMs = Date.parse(status_since);
}

function assignBroadcast(
  world: World,
  account: AccountState,
  broadcast: Broadcast,
  seed: BroadcastSeed,
): void {
  const { live } = broadcast;
  const { status, scheduled_at, pause_reason, targeted_recipients_count, unreadable, status_since } = seed;
  const { scheduled_at_timezone: zone = 'UTC' } = seed;
  assignCommon(world, account, live, seed);
  Object.assign(live, given({ targeted_recipients_count }));
  if (seed.rules !== undefined) live.rules = fillBroadcastRules(seed.rules);
  if (unreadable !== undefined) broadcast.unreadable = unreadable;
  if (status_since !== undefined) broadcast.statusSinceMs = Date.parse(status_since);
  if (scheduled_at !== undefined) {
    live.scheduled_at = scheduled_at;
    live.scheduled_at_timezone = scheduled_at === null ? null : zone;
  }
  if (status === undefined) return;
  live.status = status ?? 'sent';
  live.pause_reason = live.status === 'paused' ? (pause_reason ?? 'manual') : null;
  broadcast.nextSendMs = null;
}

function assignCommon(
  world: World,
  account: AccountState,
  live: Campaign['live'] | Broadcast['live'],
  seed: CampaignSeed | BroadcastSeed,
): void {
  const { name, messages, audience_filters, created_by, created_at } = seed;
  Object.assign(live, given({ name, created_by, created_at }));
  if (messages !== undefined) live.messages = fillMessages(messages);
  if (audience_filters !== undefined) live.audience_filters = keepFilters(world, account, audience_filters);
}

/** The members that have a value. */
function given(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** By id, or the first with the name. */
function findOne<One extends { readonly live: { readonly name: string | null } }>(
  all: Readonly<Record<string, One>>,
  { id, name }: Wanted,
  what: string,
): One {
  if (id === undefined && name === undefined) throw new Refusal(400, 'give an id or a name');
  const found = id === undefined ? Object.values(all).find(({ live }) => live.name === name) : all[id];
  if (found === undefined) throw notFound(`${what} ${id ?? `"${name ?? ''}"`}`);
  return found;
}
