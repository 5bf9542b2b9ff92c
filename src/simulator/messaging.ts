import { conflict, invalid, notFound, Refusal } from './answers.ts';
import {
  fillBroadcastRules,
  fillCampaignRules,
  fillMessages,
  keepFilters,
  keepName,
  readFilters,
  readWallClock,
} from './content.ts';
import type { FaultEffects } from './faults.ts';
import { listLagMs, listPage } from './paging.ts';
import { drawBelow, shuffle, takeId } from './random.ts';
import { BY_CONTROL, dropUndefined, isoTime } from './records.ts';
import type { Call } from './requests.ts';
import type { BroadcastSeed, CampaignSeed, Edit, Seed } from './seed-shape.ts';
import { NO_STATS, type AccountState, type Broadcast, type Campaign, type Sender } from './state.ts';
import { findSender, recall, setStatus, setTimers } from './states.ts';
import { getAccount, recordCommit, type World } from './world.ts';

const TITLES = { campaign: 'Campaign', broadcast: 'Broadcast' } as const;

/** Campaigns in their own order (CAMPAIGN-15); broadcasts newest first (BROADCAST-22). */
function listAll(
  world: World,
  account: AccountState,
  { operation, query }: Call<'campaigns.list' | 'broadcasts.list'>,
): Sender[] {
  const { campaigns, campaignOrder, broadcasts, broadcastOrder } = account;
  if (operation === 'broadcasts.list')
    return broadcastOrder.toReversed().flatMap((id) => broadcasts[id] ?? []);
  const isNewScan = (query.offset ?? 0) === 0;
  if (isNewScan && world.modes.campaignOrder === 'reshuffled') shuffle(world, campaignOrder);
  const ordered = campaignOrder.flatMap((id) => campaigns[id] ?? []);
  if (world.modes.campaignOrder !== 'last_change') return ordered;
  return ordered.sort((left, right) => right.statusSinceMs - left.statusSinceMs);
}

/** Hides only archived ones, unless they are requested. */
export function listSenders(world: World, call: Call<'campaigns.list' | 'broadcasts.list'>): object {
  const shown = listAll(world, getAccount(world, call.params.account_id), call).filter(
    (one) =>
      one.listedFromMs <= world.nowMs &&
      (call.query.include_archived === true || showStatus(world, one, 'list') !== 'archived'),
  );
  return listPage(call, shown, (one) => readSender(world, one, 'list'));
}

type One = 'get' | 'set-status' | 'unsend';
type OneCall<Name extends One> = Call<`campaigns.${Name}` | `broadcasts.${Name}`>;

function requireSender(world: World, { operation, params }: OneCall<One>): Sender {
  const kind = operation.startsWith('campaigns.') ? 'campaign' : 'broadcast';
  const found = findSender(getAccount(world, params.account_id), kind, params.campaign_id);
  if (found === undefined) throw notFound(TITLES[kind]);
  return found;
}

/** A single read of an unreadable broadcast is a plain 502 without a code (BROADCAST-23). */
export function getSender(world: World, call: OneCall<'get'>): object {
  const found = requireSender(world, call);
  if (found.foundFromMs > world.nowMs) throw notFound(TITLES[found.kind]);
  if (found.kind === 'broadcast' && found.unreadable) throw new Refusal(502, 'Bad gateway');
  return readSender(world, found, 'single read');
}

/** A campaign answers nothing; a broadcast its new status, which may differ from the requested one (BROADCAST-18). */
export function setSenderStatus(world: World, call: OneCall<'set-status'>): object | null {
  const { body, cause, effects } = call;
  const found = requireSender(world, call);
  const before = found.live.status;
  setStatus(world, found, body.status, cause, effects.partly);
  showOldStatus(world, found, before, effects);
  if (found.kind === 'broadcast') return { status: nameState(world, found.live.status) };
  if (effects.partly) throw new Refusal(502, 'Bad gateway');
  return null;
}

export function recallSender(world: World, call: OneCall<'unsend'>): null {
  const found = requireSender(world, call);
  const before = found.live.status;
  recall(world, found, call.cause);
  showOldStatus(world, found, before, call.effects);
  return null;
}

/** A new campaign is live at once (CAMPAIGN-1). */
export function createCampaign(world: World, call: Call<'campaigns.create'>): object {
  const { body } = call;
  const { messages = [], trigger, action } = body;
  const name = keepName(world, body.name, messages);
  if (world.modes.triggers === 'words' && !/^[a-z_]+$/.test(trigger))
    throw invalid(world.modes, 'trigger: is not the name of a trigger', 'trigger');
  const account = getAccount(world, call.params.account_id);
  const campaign = newCampaign(world, account, {
    ...takeContent(world, account, call),
    name,
    trigger,
    action,
    rules: fillCampaignRules(body.rules),
  });
  return finishCreate(world, account, campaign, call);
}

/**
 * A new broadcast is live, not a draft. A schedule in the past is sent at once (BROADCAST-1, BROADCAST-6). The end has
 * its own time zone mode, like the schedule. Reads show the zone instead of the mode.
 */
export function createBroadcast(world: World, call: Call<'broadcasts.create'>): object {
  const { messages = [], scheduled_at, scheduled_at_timezone_mode, rules: given = {}, ...body } = call.body;
  if (messages.length === 0) throw invalid(world.modes, 'a broadcast needs a message', 'messages');
  const name = keepName(world, body.name, messages);
  const { end_at, end_at_timezone_mode, ...rules } = given;
  const end =
    end_at === undefined || end_at === null
      ? {}
      : {
          end_at: isoTime(readWallClock(world, end_at, end_at_timezone_mode, 'end_at')),
          end_at_timezone: 'UTC',
        };
  const scheduledMs =
    scheduled_at === undefined
      ? null
      : readWallClock(world, scheduled_at, scheduled_at_timezone_mode, 'scheduled_at');
  const account = getAccount(world, call.params.account_id);
  const broadcast = newBroadcast(world, account, scheduledMs, {
    ...takeContent(world, account, call),
    name,
    rules: fillBroadcastRules({ ...rules, ...end }),
  });
  return finishCreate(world, account, broadcast, call);
}

type CreateCall = Call<'campaigns.create' | 'broadcasts.create'>;

function takeContent(world: World, account: AccountState, { body, key }: CreateCall) {
  return {
    created_by: { type: 'api_token', id: key.id },
    audience_filters: keepFilters(world, account, body.audience_filters ?? []),
    messages: fillMessages(body.messages ?? []),
  };
}

/** Stores a new object. Faults may hide it for a while. */
function finishCreate(world: World, account: AccountState, made: Sender, call: CreateCall): object {
  const { effects, cause } = call;
  made.listedFromMs = world.nowMs + listLagMs(world, effects);
  if (effects.readsLag) made.foundFromMs = made.listedFromMs;
  putSender(world, account, made);
  recordCommit(world, cause, made, 'create');
  return readSender(world, made, 'single read');
}

/** What every new object has. By default a person made it. */
function newCommon({ nowMs }: World, account: AccountState) {
  return {
    hidden: { statusSinceMs: nowMs, listedFromMs: nowMs, foundFromMs: 0, statusLag: null },
    live: {
      account_id: account.live.id,
      created_by: { type: 'user', id: '9001' },
      created_at: isoTime(nowMs),
      audience_filters: [],
      messages: fillMessages([{ text: 'Hello' }]),
      stats: { ...NO_STATS },
    },
  };
}

/** An active campaign with a greeting. */
function newCampaign(world: World, account: AccountState, parts: Partial<Campaign['live']> = {}): Campaign {
  const { hidden, live } = newCommon(world, account);
  return {
    kind: 'campaign',
    ...hidden,
    live: {
      id: takeId(world, 'nextCampaignId'),
      ...live,
      name: 'Seeded campaign',
      trigger: 'welcome_message',
      action: 'send_message',
      status: 'active',
      rules: fillCampaignRules(),
      targeted_sends_count: 0,
      ...parts,
    },
    queue: [],
  };
}

/** A broadcast without a schedule, or with a past one, is queued at once. */
function newBroadcast(
  world: World,
  account: AccountState,
  scheduledMs: number | null,
  parts: Partial<Broadcast['live']> = {},
): Broadcast {
  const { hidden, live } = newCommon(world, account);
  const waits = scheduledMs !== null && scheduledMs > world.nowMs;
  return {
    kind: 'broadcast',
    ...hidden,
    live: {
      id: takeId(world, 'nextBroadcastId'),
      ...live,
      name: 'Seeded broadcast',
      status: waits ? 'scheduled' : 'queued',
      pause_reason: null,
      progress_percent: 0,
      scheduled_at: waits ? isoTime(scheduledMs) : null,
      scheduled_at_timezone: waits ? 'UTC' : null,
      rules: fillBroadcastRules(),
      targeted_recipients_count: 0,
      ...parts,
    },
    unreadable: false,
    recalled: false,
    reached: 0,
    nextSendMs: null,
  };
}

/** Inserts a campaign at a random position: the document states no order (CAMPAIGN-15). */
function putSender(world: World, account: AccountState, one: Sender): void {
  const { id } = one.live;
  if (one.kind === 'broadcast') {
    account.broadcasts[id] = one;
    account.broadcastOrder.push(id);
  } else {
    const { campaignOrder } = account;
    account.campaigns[id] = one;
    campaignOrder.splice(drawBelow(world, campaignOrder.length + 1), 0, id);
  }
  setTimers(world, one);
}

/** Lets reads show the old status for a while. */
function showOldStatus(world: World, changed: Sender, before: string | null, effects: FaultEffects): void {
  const { lagSec, readsLag } = effects;
  if (lagSec === 0) return;
  changed.statusLag = { status: before, untilMs: world.nowMs + lagSec * 1000, reads: readsLag };
}

type Reader = 'list' | 'single read';

/** The status inside the service, or the one that reads still show. */
function showStatus({ nowMs }: World, { live, statusLag }: Sender, by: Reader): string | null {
  const lags = statusLag !== null && statusLag.untilMs > nowMs && (by === 'list' || statusLag.reads);
  return lags ? statusLag.status : live.status;
}

/** The states of a broadcast that the API names. All others read as null (BROADCAST-12). */
const NAMED: readonly string[] = ['scheduled', 'queued', 'sending', 'paused'];

function nameState({ modes }: World, status: string): string | null {
  if (status === 'sent') return modes.endedStatus === 'sent' ? status : null;
  if (status === 'archived') return modes.archivedStatus === 'archived' ? status : null;
  return NAMED.includes(status) ? status : null;
}

function readSender(world: World, one: Sender, by: Reader): object {
  const shown = one.kind === 'campaign' ? readCampaign(one) : readBroadcast(one);
  const status = showStatus(world, one, by);
  return {
    ...shown,
    status: one.kind === 'broadcast' && status !== null ? nameState(world, status) : status,
    audience_filters: readFilters(world, one.live.audience_filters),
  };
}

/** If the API does not name its action, the messages are hidden too. */
function readCampaign({ live }: Campaign): object {
  const { stats, ...rest } = live;
  const messages = live.action === null ? [] : live.messages;
  return {
    ...rest,
    messages,
    first_message_stats: stats,
    follow_up_message_stats: messages.slice(1).map(({ step }) => ({ step, ...NO_STATS })),
  };
}

/** An unreadable one has no messages, and all figures are zero. */
function readBroadcast({ live, unreadable }: Broadcast): object {
  const [only, second] = live.messages;
  const nameless = second === undefined && !unreadable ? (only?.text ?? null) : null;
  return {
    ...live,
    name: live.name ?? nameless,
    ...(unreadable
      ? { messages: [], progress_percent: 0, targeted_recipients_count: 0, stats: NO_STATS }
      : {}),
  };
}

type SenderSeed = Extract<Seed, { kind: Sender['kind'] }>;

/** Adds an object that existed before. A broadcast without a schedule waits for a whole hour more than a day away. */
export function seedSender(world: World, seed: SenderSeed): Sender {
  const account = getAccount(world, seed.account_id);
  const { id, status } = seed.set;
  if (id !== undefined && findSender(account, seed.kind, id) !== undefined)
    throw conflict(`id ${id} exists already`);
  const made =
    seed.kind === 'campaign' ? newCampaign(world, account) : newSeededBroadcast(world, account, seed.set);
  assign(world, account, made, seed.set);
  if (made.kind === 'campaign' && status !== undefined) made.live.status = status;
  putSender(world, account, made);
  return made;
}

function newSeededBroadcast(world: World, account: AccountState, set: BroadcastSeed): Broadcast {
  const tomorrowMs = Math.ceil(world.nowMs / 3_600_000 + 24) * 3_600_000;
  const waits =
    set.scheduled_at !== null && [undefined, 'scheduled', 'paused'].includes(set.status ?? undefined);
  return newBroadcast(world, account, waits ? tomorrowMs : null);
}

/** Edits an object that a person names by its id, or by its name if it is the first. */
export function editSender(world: World, edit: Extract<Edit, { kind: Sender['kind'] }>): Sender {
  const account = getAccount(world, edit.account_id);
  const { id, name, kind } = edit;
  const { status, status_since } = edit.set;
  if (id === undefined && name === undefined) throw new Refusal(400, 'give an id or a name');
  const all: readonly Sender[] = Object.values(kind === 'campaign' ? account.campaigns : account.broadcasts);
  const one = all.find(({ live }) => (id === undefined ? live.name === name : live.id === id));
  if (one === undefined) throw notFound(`${TITLES[kind]} ${id ?? `"${name ?? ''}"`}`);
  assign(world, account, one, edit.set);
  if (one.kind === 'campaign' && (status === 'active' || status === 'paused' || status === 'archived'))
    setStatus(world, one, status, BY_CONTROL);
  else if (status !== undefined) {
    if (one.kind === 'campaign') one.live.status = status;
    one.statusSinceMs = world.nowMs;
  }
  if (status_since !== undefined) one.statusSinceMs = Date.parse(status_since);
  setTimers(world, one);
  recordCommit(world, BY_CONTROL, one, 'edit');
  return one;
}

/** The set belongs to the kind of the object. The status of a campaign is left to the caller. */
function assign(world: World, account: AccountState, one: Sender, set: CampaignSeed & BroadcastSeed): void {
  const { messages, audience_filters, rules, status, status_since, unreadable, ...plain } = set;
  Object.assign(one.live, dropUndefined(plain));
  if (messages !== undefined) one.live.messages = fillMessages(messages);
  if (audience_filters !== undefined)
    one.live.audience_filters = keepFilters(world, account, audience_filters);
  if (status_since !== undefined) one.statusSinceMs = Date.parse(status_since);
  if (rules !== undefined)
    one.live.rules = one.kind === 'campaign' ? fillCampaignRules(rules) : fillBroadcastRules(rules);
  if (one.kind === 'campaign') return;
  const { live } = one;
  one.unreadable = unreadable ?? one.unreadable;
  live.scheduled_at_timezone = live.scheduled_at === null ? null : (live.scheduled_at_timezone ?? 'UTC');
  if (status === undefined) return;
  live.status = status ?? 'sent';
  live.pause_reason = live.status === 'paused' ? (set.pause_reason ?? 'manual') : null;
  one.nextSendMs = null;
}
