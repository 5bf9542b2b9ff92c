import { accountOf } from './access.ts';
import type { Call } from './call.ts';
import {
  nameOfState,
  recallBroadcast,
  setBroadcastStatus,
  setBroadcastTimers,
} from './broadcast-lifecycle.ts';
import {
  fillBroadcastRules,
  fillMessages,
  keepFilters,
  keepName,
  readFilters,
  requireContent,
  requireName,
} from './content.ts';
import { takeId } from './ids.ts';
import { delayVisibility, showOldStatus, shownStatus } from './lag.ts';
import { rewriteLater } from './late-rewrite.ts';
import { pageOf } from './paging.ts';
import { isoTime, recordCommit } from './records.ts';
import { invalid, notFound, Refusal } from './refusal.ts';
import { readWallClock } from './schedule.ts';
import { NO_STATS, type AccountState, type Broadcast } from './state.ts';
import type { World } from './world.ts';

/** Newest first, archived ones only on request (BROADCAST-22). */
export function listBroadcasts(world: World, call: Call<'broadcasts.list'>): object {
  const account = accountOf(world, call.params.account_id);
  const listed = account.broadcastOrder.toReversed().flatMap((id) => {
    const broadcast = account.broadcasts[id];
    if (broadcast === undefined || broadcast.listedFromMs > world.nowMs) return [];
    const isShown = call.query.include_archived || shownStatus(world, broadcast, 'list') !== 'archived';
    return isShown ? [broadcast] : [];
  });
  const page = pageOf(listed, call.query, call.effects);
  return {
    items: page.items.map((broadcast) => readBroadcast(world, broadcast, 'list')),
    has_more: page.has_more,
  };
}

/** A single read of an unreadable broadcast is a plain 502 without a code (BROADCAST-23). */
export function getBroadcast(world: World, { params }: Call<'broadcasts.get'>): object {
  const broadcast = broadcastOf(world, params);
  if (broadcast.foundFromMs > world.nowMs) throw notFound('Broadcast');
  if (broadcast.unreadable) throw new Refusal(502, 'Bad gateway');
  return readBroadcast(world, broadcast, 'single read');
}

/** A new broadcast is live, not a draft. A schedule in the past is sent at once (BROADCAST-1, BROADCAST-6). */
export function createBroadcast(world: World, call: Call<'broadcasts.create'>): object {
  const { body, effects } = call;
  const messages = body.messages ?? [];
  const name = keepName(world, body.name);
  if (messages.length === 0) throw invalid(world.modes, 'a broadcast needs a message', 'messages');
  requireContent(world, messages);
  requireName(world, name, messages);
  const rules = readRules(world, body.rules);
  const scheduledMs =
    body.scheduled_at === undefined
      ? null
      : readWallClock(world, body.scheduled_at, body.scheduled_at_timezone_mode, 'scheduled_at');
  const account = accountOf(world, call.params.account_id);
  const broadcast = newBroadcast(world, account, scheduledMs, {
    name,
    created_by: { type: 'api_token', id: call.key.id },
    rules,
    audience_filters: keepFilters(world, account, body.audience_filters ?? []),
    messages: fillMessages(messages),
  });
  delayVisibility(world, broadcast, effects);
  putBroadcast(world, account, broadcast);
  rewriteLater(world, 'broadcast', broadcast.live, effects);
  recordCommit(world, call.cause, 'broadcast', 'create', broadcast.live);
  return readBroadcast(world, broadcast, 'single read');
}

type CreateRules = NonNullable<Call<'broadcasts.create'>['body']['rules']>;

/** The end has its own time zone mode, like the schedule. Reads show the zone instead of the mode. */
function readRules(world: World, rules: CreateRules | undefined): Record<string, unknown> {
  const { end_at, end_at_timezone_mode, ...rest } = rules ?? {};
  if (end_at === undefined || end_at === null) return fillBroadcastRules(rest);
  const endMs = readWallClock(world, end_at, end_at_timezone_mode, 'end_at');
  return fillBroadcastRules({ ...rest, end_at: isoTime(endMs), end_at_timezone: 'UTC' });
}

/** A broadcast without a schedule, or with a past one, is queued at once. By default a person created it. */
export function newBroadcast(
  world: World,
  account: AccountState,
  scheduledMs: number | null,
  parts: Partial<Broadcast['live']> = {},
): Broadcast {
  const waits = scheduledMs !== null && scheduledMs > world.nowMs;
  return {
    live: {
      id: takeId(world, 'nextBroadcastId'),
      account_id: account.live.id,
      name: 'Seeded broadcast',
      status: waits ? 'scheduled' : 'queued',
      pause_reason: null,
      progress_percent: 0,
      created_by: { type: 'user', id: '9001' },
      created_at: isoTime(world.nowMs),
      scheduled_at: waits ? isoTime(scheduledMs) : null,
      scheduled_at_timezone: waits ? 'UTC' : null,
      rules: fillBroadcastRules(),
      audience_filters: [],
      messages: fillMessages([{ text: 'Hello' }]),
      targeted_recipients_count: 0,
      stats: { ...NO_STATS },
      ...parts,
    },
    statusSinceMs: world.nowMs,
    listedFromMs: world.nowMs,
    foundFromMs: 0,
    statusLag: null,
    unreadable: false,
    recalled: false,
    reached: 0,
    nextSendMs: null,
  };
}

export function putBroadcast(world: World, account: AccountState, broadcast: Broadcast): void {
  account.broadcasts[broadcast.live.id] = broadcast;
  account.broadcastOrder.push(broadcast.live.id);
  setBroadcastTimers(world, broadcast);
}

/** The answer contains the new status, which may differ from the requested one (BROADCAST-18). */
export function patchBroadcast(world: World, call: Call<'broadcasts.set-status'>): object {
  const broadcast = broadcastOf(world, call.params);
  const before = broadcast.live.status;
  setBroadcastStatus(world, broadcast, call.body.status, call.cause);
  showOldStatus(world, broadcast, before, call.effects);
  return { status: nameOfState(world, broadcast.live.status) };
}

export function unsendBroadcast(world: World, { params, cause, effects }: Call<'broadcasts.unsend'>): null {
  const broadcast = broadcastOf(world, params);
  const before = broadcast.live.status;
  recallBroadcast(world, broadcast, cause);
  showOldStatus(world, broadcast, before, effects);
  return null;
}

/** A broadcast as in answers. An unreadable one has no messages, and all figures are zero. */
function readBroadcast(
  world: World,
  broadcast: Broadcast,
  by: 'list' | 'single read',
): Record<string, unknown> {
  const { live, unreadable } = broadcast;
  const [only, second] = live.messages;
  const nameless = second === undefined && !unreadable ? (only?.text ?? null) : null;
  return {
    ...live,
    name: live.name ?? nameless,
    status: nameOfState(world, shownStatus(world, broadcast, by) ?? live.status),
    audience_filters: readFilters(world, live.audience_filters),
    ...(unreadable
      ? { messages: [], progress_percent: 0, targeted_recipients_count: 0, stats: NO_STATS }
      : {}),
    ...(world.modes.extraFields ? { revision: 1 } : {}),
  };
}

function broadcastOf(world: World, params: { account_id: string; campaign_id: string }): Broadcast {
  const broadcast = accountOf(world, params.account_id).broadcasts[params.campaign_id];
  if (broadcast === undefined) throw notFound('Broadcast');
  return broadcast;
}
