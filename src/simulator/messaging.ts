import type { AudienceFilter, Message } from '../domain/content.ts';
import { KIND_ROWS } from '../domain/resource.ts';
import { Refusal } from './answers.ts';
import { listPage } from './paging.ts';
import type { Call, FaultEffects, Handlers, Seeders } from './calls.ts';
import type { Edit, SeededFilter, SenderSet } from './seed-shape.ts';
import {
  liveMessageShape,
  NO_STATS,
  type AccountState,
  type Broadcast,
  type Campaign,
  type LiveFilter,
  type LiveMessage,
  type Sender,
} from './state.ts';
import { recall, setStatus, setTimers } from './states.ts';
import { type World, BY_CONTROL, dropUndefined, isoTime } from './world.ts';

type ListCall = Call<'campaigns.list' | 'broadcasts.list'>;

/** Campaigns in their own order (CAMPAIGN-15); broadcasts newest first (BROADCAST-22). */
function listAll(world: World, account: AccountState, { operation, query }: ListCall): readonly Sender[] {
  const { campaigns, campaignOrder, broadcasts, broadcastOrder } = account;
  if (operation === 'broadcasts.list')
    return broadcastOrder.toReversed().flatMap((id) => broadcasts[id] ?? []);
  const isNewScan = (query.offset ?? 0) === 0;
  if (isNewScan && world.modes.campaignOrder === 'reshuffled') {
    account.campaignOrder = [];
    for (const id of campaignOrder) insertAnywhere(world, account.campaignOrder, id);
  }
  return account.campaignOrder.flatMap((id) => campaigns[id] ?? []);
}

/** The document states no order of campaigns (CAMPAIGN-15). */
function insertAnywhere(world: World, order: string[], id: string): void {
  order.splice(world.drawBelow(order.length + 1), 0, id);
}

/** Hides only archived ones, unless they are requested. */
function listSenders(world: World, call: ListCall): object {
  const shown = listAll(world, world.getAccount(call.params), call).filter((one) => {
    const status = showStatus(world, one, 'list');
    return status !== undefined && (call.query.include_archived === true || status !== 'archived');
  });
  return listPage(call, shown, (one) => readSender(world, one, 'list'));
}

type One = 'get' | 'set-status' | 'unsend';
type OneCall<Name extends One> = Call<`campaigns.${Name}` | `broadcasts.${Name}`>;

function requireSender(world: World, { operation, params }: OneCall<One>): Sender {
  const kind = operation.startsWith('campaigns.') ? 'campaign' : 'broadcast';
  const found = world.getAccount(params)[KIND_ROWS[kind].plural][params.campaign_id];
  if (found === undefined) throw Refusal.notFound(kind);
  return found;
}

/** A single read of an unreadable broadcast is a plain 502 without a code (BROADCAST-23). */
function getSender(world: World, call: OneCall<'get'>): object {
  const found = requireSender(world, call);
  if (showStatus(world, found, 'single read') === undefined) throw Refusal.notFound(found.kind);
  if (found.kind === 'broadcast' && found.unreadable) throw new Refusal(502, 'Bad gateway');
  return readSender(world, found, 'single read');
}

/** A campaign answers nothing; a broadcast its new status, which may differ from the requested one (BROADCAST-18). */
function setSenderStatus(world: World, call: OneCall<'set-status'>): object | null {
  const { body, cause, effects } = call;
  const found = requireSender(world, call);
  lagBehind(world, found, effects, found.live.status);
  setStatus(world, found, body.status, cause, effects.partly);
  if (found.kind === 'broadcast') return { status: nameState(world, found.live.status) };
  if (effects.partly) throw new Refusal(502, 'Bad gateway');
  return null;
}

function recallSender(world: World, call: OneCall<'unsend'>): null {
  const found = requireSender(world, call);
  lagBehind(world, found, call.effects, found.live.status);
  recall(world, found, call.cause);
  return null;
}

/** A new campaign is live at once (CAMPAIGN-1). */
function createCampaign(world: World, call: Call<'campaigns.create'>): object {
  const { trigger } = call.body;
  // Assumed: a trigger of another form is refused (CAMPAIGN-3).
  if (!/^[a-z_]+$/.test(trigger)) throw Refusal.invalid('trigger: is not the name of a trigger', 'trigger');
  return createSender(world, 'campaign', call, call.body);
}

/**
 * A new broadcast is live, not a draft. A schedule in the past is sent at once (BROADCAST-1, BROADCAST-6). The end has
 * its own time zone mode, like the schedule. Reads show the zone instead of the mode.
 */
function createBroadcast(world: World, call: Call<'broadcasts.create'>): object {
  const { scheduled_at, scheduled_at_timezone_mode, rules: given = {}, ...set } = call.body;
  if ((set.messages ?? []).length === 0) throw Refusal.invalid('a broadcast needs a message', 'messages');
  const { end_at, end_at_timezone_mode, ...others } = given;
  const end = end_at == null ? null : readWallClock(end_at, end_at_timezone_mode, 'end_at');
  const rules = end === null ? others : { ...others, end_at: end, end_at_timezone: 'UTC' };
  const schedule =
    scheduled_at === undefined
      ? null
      : readWallClock(scheduled_at, scheduled_at_timezone_mode, 'scheduled_at');
  return createSender(world, 'broadcast', call, { ...set, rules, scheduled_at: schedule });
}

/** Stores a new object. Assumed: names are stored as sent (CONTENT-2). Faults may hide it for a while. */
function createSender(
  world: World,
  kind: Sender['kind'],
  { params, key, effects, cause }: Call<'campaigns.create' | 'broadcasts.create'>,
  { name = null, messages = [], ...set }: SenderSet,
): object {
  // Assumed: the service has it that a message needs text or an attachment (CONTENT-9).
  const empty = messages.findIndex((message) => !message.text && !message.attachments?.length);
  if (empty !== -1) throw Refusal.invalid('a message needs text or an attachment', `messages.${empty}`);
  const account = world.getAccount(params);
  const made = newSender(world, account, kind);
  const created_by = { type: 'api_token', id: key.id };
  assign(world, account, made, { ...set, name, messages, created_by });
  putSender(world, account, made);
  world.recordCommit(cause, made, 'create');
  const answer = readSender(world, made, 'single read');
  lagBehind(world, made, effects);
  return answer;
}

/** An active campaign with a greeting, or a broadcast with one that is sent at once. By default a person made it. */
function newSender({ nowMs }: World, account: AccountState, kind: Sender['kind']): Sender {
  const hidden = { statusSinceMs: nowMs, lag: null };
  const live = {
    id: '',
    account_id: account.live.id,
    name: `Seeded ${kind}`,
    created_by: { type: 'user', id: '9001' },
    created_at: isoTime(nowMs),
    rules: fillRules(kind),
    audience_filters: [],
    messages: fillMessages([{ text: 'Hello' }]),
    stats: { ...NO_STATS },
  };
  if (kind === 'campaign')
    return {
      kind,
      ...hidden,
      live: {
        ...live,
        trigger: 'welcome_message',
        action: 'send_message',
        status: 'active',
        targeted_sends_count: 0,
      },
      queue: [],
    };
  return {
    kind,
    ...hidden,
    live: {
      ...live,
      status: 'queued',
      pause_reason: null,
      progress_percent: 0,
      scheduled_at: null,
      scheduled_at_timezone: null,
      targeted_recipients_count: 0,
    },
    unreadable: false,
    recalled: false,
    reached: 0,
    nextSendMs: null,
  };
}

function putSender(world: World, account: AccountState, one: Sender): void {
  const { live, kind } = one;
  if (live.id === '') live.id = world.takeId(kind === 'campaign' ? 'nextCampaignId' : 'nextBroadcastId');
  const { id } = live;
  if (one.kind === 'broadcast') {
    account.broadcasts[id] = one;
    account.broadcastOrder.push(id);
  } else {
    account.campaigns[id] = one;
    insertAnywhere(world, account.campaignOrder, id);
  }
  setTimers(world, one);
}

/** Lets reads show for a while what was before: a status, or that it did not exist. */
function lagBehind(
  { nowMs }: World,
  one: Sender,
  { lagMs, readsLag }: FaultEffects,
  status?: string | null,
): void {
  if (lagMs > 0) one.lag = { listsMs: nowMs + lagMs, readsMs: readsLag ? nowMs + lagMs : 0, status };
}

type Reader = 'list' | 'single read';

/** The status inside the service, or the one that reads still show; undefined if they do not show it yet. */
function showStatus({ nowMs }: World, { live, lag }: Sender, by: Reader): string | null | undefined {
  if (lag === null) return live.status;
  return (by === 'list' ? lag.listsMs : lag.readsMs) > nowMs ? lag.status : live.status;
}

function nameState({ modes }: World, status: string): string | null {
  return modes.namedStates.includes(status) ? status : null;
}

function readSender(world: World, one: Sender, by: Reader): object {
  const shown = one.kind === 'campaign' ? readCampaign(one) : readBroadcast(one);
  const status = showStatus(world, one, by) ?? null;
  return {
    ...shown,
    status: one.kind === 'broadcast' && status !== null ? nameState(world, status) : status,
    audience_filters: one.live.audience_filters.map(readFilter),
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

/** Adds an object that existed before. A broadcast without a schedule waits for a whole hour more than a day away. */
function seedSender(
  world: World,
  account: AccountState,
  kind: Sender['kind'],
  set: SenderSet,
): Sender['live'] {
  if (set.id !== undefined && account[KIND_ROWS[kind].plural][set.id] !== undefined)
    throw Refusal.conflict(`id ${set.id} exists already`);
  const made = newSender(world, account, kind);
  const waits = kind === 'broadcast' && [undefined, 'scheduled', 'paused'].includes(set.status ?? undefined);
  const tomorrow = isoTime(Math.ceil(world.nowMs / 3_600_000 + 24) * 3_600_000);
  assign(world, account, made, { ...(waits ? { scheduled_at: tomorrow } : {}), ...set });
  putSender(world, account, made);
  return made.live;
}

/** Edits an object that a person names by its id, or by its name if it is the first. */
export function editSender(world: World, { account_id, id, name, kind, set }: Edit): Sender {
  const account = world.getAccount({ account_id });
  if (id === undefined && name === undefined) throw new Refusal(400, 'give an id or a name');
  const all: readonly Sender[] = Object.values(account[KIND_ROWS[kind].plural]);
  const one = all.find(({ live }) => (id === undefined ? live.name === name : live.id === id));
  if (one === undefined) throw Refusal.notFound(`${kind} ${id ?? `"${name ?? ''}"`}`);
  const { status, ...others } = set;
  if (one.kind === 'campaign' && (status === 'active' || status === 'paused' || status === 'archived')) {
    assign(world, account, one, others);
    setStatus(world, one, status, BY_CONTROL);
  } else {
    assign(world, account, one, set);
    if (status !== undefined) one.statusSinceMs = world.nowMs;
  }
  setTimers(world, one);
  world.recordCommit(BY_CONTROL, one, 'edit');
  return one;
}

/** The set belongs to the kind of the object. A broadcast with a schedule to come waits for it. */
function assign(world: World, account: AccountState, one: Sender, set: SenderSet): void {
  const { messages, audience_filters, rules, status, unreadable, ...plain } = set;
  Object.assign(one.live, dropUndefined(plain));
  if (messages !== undefined) one.live.messages = fillMessages(messages);
  if (audience_filters !== undefined)
    one.live.audience_filters = keepFilters(world, account, audience_filters);
  if (rules !== undefined) one.live.rules = fillRules(one.kind, rules);
  if (one.kind === 'campaign') {
    if (status !== undefined) one.live.status = status;
    return;
  }
  const { live } = one;
  one.unreadable = unreadable ?? one.unreadable;
  if (status !== undefined) {
    live.status = status ?? 'sent';
    live.pause_reason = live.status === 'paused' ? (set.pause_reason ?? 'manual') : null;
    one.nextSendMs = null;
  } else if (live.status === 'queued' && live.scheduled_at !== null) {
    const waits = Date.parse(live.scheduled_at) > world.nowMs;
    if (waits) live.status = 'scheduled';
    else live.scheduled_at = null;
  }
  live.scheduled_at_timezone = live.scheduled_at === null ? null : (live.scheduled_at_timezone ?? 'UTC');
}

/** Messages with their defaults and their `step` (CONTENT-8). */
function fillMessages(messages: readonly Message[]): LiveMessage[] {
  return messages.map((message, step) => liveMessageShape.parse({ ...message, step }));
}

/** Filters as they are stored: the name of a list is replaced by its id (CONTENT-17). */
function keepFilters(
  world: World,
  account: AccountState,
  filters: readonly (AudienceFilter | SeededFilter)[],
): LiveFilter[] {
  return filters.map(({ kind, mode, options = {} }) => {
    const { lists, from_at, to_at, ...days } = options;
    const dates = { ...days, ...dropUndefined({ from_at: utc(from_at), to_at: utc(to_at) }) };
    const ids = lists?.map((list) => ({ id: 'name' in list ? listId(world, account, list.name) : list.id }));
    return { kind, mode, options: ids === undefined ? dates : { ...dates, lists: ids } };
  });
}

/** Answers show dates in UTC, whatever offset they were sent with (READ-7). */
function utc(instant: string | null | undefined): string | undefined {
  return instant == null ? undefined : isoTime(Date.parse(instant));
}

/** The id of a fan list. The same name means the same list of the account. */
function listId(world: World, { lists }: AccountState, name: string): string {
  const known = Object.hasOwn(lists, name) ? lists[name] : undefined;
  return known ?? (lists[name] = world.takeId('nextListId'));
}

/** Filters as in answers. Assumed: relative days are omitted (CONTENT-18). */
function readFilter({ kind, mode, options }: LiveFilter): LiveFilter {
  const { from_days: _from, to_days: _to, ...readable } = options;
  return { kind, mode, options: readable };
}

const COMMON_RULES = {
  unsend_delay_sec: 0,
  unsend_if_not_read_enabled: false,
  unsend_if_not_replied_enabled: false,
  mimic_on_reply_enabled: false,
};
const CAMPAIGN_RULES = { send_after_expire_min: 0, send_before_expire_min: 0, retry_after_unsend_min: 0 };
const NO_DELAY = { min_sec: 0, range_sec: 0 };

/**
 * Rules with the service's defaults. Assumed: 0, false and no end (CONTENT-20). Answers contain
 * `unsend_if_not_replied_enabled`, although a create of a broadcast cannot set it (BROADCAST-10).
 */
function fillRules(
  kind: Sender['kind'],
  given: Readonly<Record<string, unknown>> & { readonly end_at?: string | null | undefined } = {},
): Record<string, unknown> {
  const rules = { ...COMMON_RULES, ...given, end_at: utc(given.end_at) ?? null };
  if (kind === 'broadcast') return { online_check_mode: 'off', end_at_timezone: null, ...rules };
  const send_delay_interval = { ...NO_DELAY, ...Object(given['send_delay_interval']) };
  return { ...CAMPAIGN_RULES, ...rules, send_delay_interval };
}

/** An offset in the value is ignored. Assumed: `utc` is the only time zone mode (BROADCAST-4). */
function readWallClock(value: string, mode: string | undefined, path: string): string {
  if (mode !== 'utc') throw Refusal.invalid(`${path}_timezone_mode must be "utc"`, `${path}_timezone_mode`);
  return isoTime(Date.parse(`${value.slice(0, 13)}:00:00Z`));
}

export const MESSAGING = {
  'campaigns.list': listSenders,
  'campaigns.create': createCampaign,
  'campaigns.get': getSender,
  'campaigns.set-status': setSenderStatus,
  'campaigns.unsend': recallSender,
  'broadcasts.list': listSenders,
  'broadcasts.create': createBroadcast,
  'broadcasts.get': getSender,
  'broadcasts.set-status': setSenderStatus,
  'broadcasts.unsend': recallSender,
} as const satisfies Handlers;

export const MESSAGING_SEEDS = {
  campaign: (world, account, set) => seedSender(world, account, 'campaign', set),
  broadcast: (world, account, set) => seedSender(world, account, 'broadcast', set),
} as const satisfies Seeders;
