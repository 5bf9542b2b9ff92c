import { digest } from '../domain/digest.ts';
import { KIND_ROWS } from '../domain/resource.ts';
import { Refusal } from './answers.ts';
import type { Timers } from './calls.ts';
import type { Fired } from './seed-shape.ts';
import type { AccountState, Broadcast, Campaign, Sender } from './state.ts';
import { type World, BY_SERVICE, isoTime, type Cause, type TimerOf } from './world.ts';

const DAY_MS = 86_400_000;
/** A paused campaign is archived after seven days (CAMPAIGN-9). */
const CAMPAIGN_ARCHIVE_MS = 7 * DAY_MS;
/** A paused broadcast can be resumed for five days (BROADCAST-17). Assumed: to the millisecond (LIMIT-7). */
const RESUME_MS = 5 * DAY_MS;
/**
 * A campaign's recall covers the messages of the last 24 hours. A broadcast can be recalled within 24 hours of its last
 * status change. Assumed: to the millisecond (LIMIT-7).
 */
const RECALL_MS = DAY_MS;
/** Assumed: a paused broadcast is archived two days after the resume window (BROADCAST-17). */
const BROADCAST_ARCHIVE_MS = RESUME_MS + 2 * DAY_MS;
/** How long a broadcast waits in the queue, a whole send takes, and a campaign's recall takes. */
const QUEUE_MS = 5_000;
const SEND_MS = 60_000;
const RECALL_TAKES_MS = 30_000;
/** At most three send at the same time. Assumed: per account (BROADCAST-9). */
const SENDING_MAX = 3;

/**
 * Changes the status as a request or a person asks (CAMPAIGN-7, BROADCAST-17 to BROADCAST-19). With `partly` the queue of
 * a campaign stays as it is, as if the change had stopped half-way.
 *
 * | campaign, in any status    | does                                                                          |
 * |----------------------------|-------------------------------------------------------------------------------|
 * | active                     | reacts to its trigger again; sends what a pause delayed                       |
 * | paused                     | stops reacting; keeps its queue                                               |
 * | archived                   | stops permanently; clears its queue                                           |
 *
 * | broadcast that is          | requested: paused    | requested: queued                                      |
 * |----------------------------|----------------------|--------------------------------------------------------|
 * | scheduled, queued, sending | paused               | queued: no change; the others are refused              |
 * | paused                     | accepted, no change  | within 5 days: scheduled before its hour, else queued  |
 * | finished, archived         | refused              | refused                                                |
 */
export function setStatus(world: World, one: Sender, status: string, cause: Cause, partly = false): void {
  if (one.kind === 'campaign') setCampaignStatus(world, one, status, cause, partly);
  else if (status === 'queued') resume(world, one, cause);
  else pause(world, one, cause);
}

function setCampaignStatus(
  world: World,
  campaign: Campaign,
  status: string,
  cause: Cause,
  partly = false,
): void {
  // Assumed: "any to active" covers archived, and a repeated pause does not restart the seven days (CAMPAIGN-9, -10).
  if (status === 'paused' && campaign.live.status === 'paused') world.recordCommit(cause, campaign, 'status');
  else enter(world, campaign, status, cause);
  if (partly) return;
  if (status === 'archived') campaign.queue = [];
  if (status === 'active') wake(world, campaign, world.nowMs);
}

function pause(world: World, broadcast: Broadcast, cause: Cause): void {
  const { live } = broadcast;
  if (live.status === 'paused') return;
  if (live.status !== 'scheduled' && live.status !== 'queued' && live.status !== 'sending')
    throw Refusal.conflict('a broadcast that has finished cannot be paused');
  live.pause_reason = 'manual';
  enter(world, broadcast, 'paused', cause);
}

function resume(world: World, broadcast: Broadcast, cause: Cause): void {
  const { status, scheduled_at } = broadcast.live;
  if (status === 'queued') return;
  if (status !== 'paused') throw Refusal.conflict('only a paused broadcast can be resumed');
  if (world.nowMs > broadcast.statusSinceMs + RESUME_MS)
    throw Refusal.conflict('a broadcast can be resumed within 5 days of pausing');
  // Assumed: if its hour passed during the pause, it is sent at once, so it is queued (BROADCAST-18).
  if (scheduled_at !== null && Date.parse(scheduled_at) > world.nowMs)
    enter(world, broadcast, 'scheduled', cause);
  else queueNow(world, broadcast, cause);
}

/** Queues it for sending and removes its schedule (BROADCAST-11). */
function queueNow(world: World, broadcast: Broadcast, cause: Cause): void {
  broadcast.live.scheduled_at = null;
  broadcast.live.scheduled_at_timezone = null;
  enter(world, broadcast, 'queued', cause);
}

/**
 * Only an active or paused campaign can be recalled; a repeat during the recall is refused (CAMPAIGN-12). A broadcast can
 * be recalled in any status, and a repeat recalls nothing (BROADCAST-20, BROADCAST-21).
 */
export function recall(world: World, one: Sender, cause: Cause): void {
  const { live } = one;
  if (one.kind === 'campaign') {
    if (live.status !== 'active' && live.status !== 'paused')
      throw Refusal.conflict(`a campaign that is ${live.status ?? 'in another state'} cannot be recalled`);
    one.queue = [];
  } else {
    if (one.recalled) return;
    if (world.nowMs > one.statusSinceMs + RECALL_MS)
      throw Refusal.conflict('a broadcast can be recalled within 24 hours of its last status change');
    one.recalled = true;
  }
  const sinceMs = one.kind === 'campaign' ? world.nowMs - RECALL_MS : 0;
  for (const dispatch of world.dispatches) {
    const isOurs = dispatch.id === live.id && dispatch.kind === one.kind && !dispatch.taken_back;
    if (!isOurs || Date.parse(dispatch.at) < sinceMs) continue;
    dispatch.taken_back = true;
    live.stats.unsent_messages_count += 1;
  }
  // Assumed: an archived one stays archived; all others get a state that the API does not name (BROADCAST-8).
  const stopped = live.status === 'archived' ? 'archived' : 'recalled';
  enter(world, one, one.kind === 'campaign' ? 'recalling' : stopped, cause, 'unsend');
}

function enter(
  world: World,
  one: Sender,
  status: string,
  cause: Cause,
  change: 'status' | 'unsend' = 'status',
): void {
  const { live } = one;
  const freesSlot = live.status === 'sending';
  live.status = status;
  one.statusSinceMs = world.nowMs;
  if (one.kind === 'broadcast') {
    if (status !== 'paused') one.live.pause_reason = null;
    one.nextSendMs = null;
  }
  setTimers(world, one);
  world.recordCommit(cause, one, change);
  if (freesSlot) startQueued(world, world.getAccount(live));
}

/** Sets the timers for its current state. Also called after creates, seeds and edits. */
export function setTimers(world: World, one: Sender): void {
  if (one.kind === 'broadcast' && one.live.status === 'sending') one.nextSendMs ??= world.nowMs;
  const times = one.kind === 'campaign' ? [campaignTime(one)] : broadcastTimes(one);
  for (const dueMs of times) if (dueMs !== null) wake(world, one, dueMs);
}

function wake(world: World, { kind, live: { account_id, id } }: Sender, dueMs: number): void {
  world.setTimer(dueMs, { kind: 'messaging', of: kind, account_id, id });
}

/** The end of a campaign's pause or recall. */
function campaignTime({ live, statusSinceMs }: Campaign): number | null {
  if (live.status === 'paused') return statusSinceMs + CAMPAIGN_ARCHIVE_MS;
  return live.status === 'recalling' ? statusSinceMs + RECALL_TAKES_MS : null;
}

/** When a broadcast ends whatever state it is in, and when its state ends. */
function broadcastTimes({ live, statusSinceMs, nextSendMs }: Broadcast) {
  const { status, scheduled_at, rules } = live;
  const endAt = rules['end_at'];
  const ends: Readonly<Record<string, number | null>> = {
    scheduled: scheduled_at === null ? null : Date.parse(scheduled_at),
    queued: statusSinceMs + QUEUE_MS,
    sending: nextSendMs,
    paused: statusSinceMs + BROADCAST_ARCHIVE_MS,
  };
  return [typeof endAt === 'string' ? Date.parse(endAt) : null, ends[status] ?? null] as const;
}

/** Carries out what time brings to an object. Nothing happens if its reason is gone. */
function advanceSender(world: World, account: AccountState, timer: TimerOf<'messaging'>): void {
  // A campaign and a broadcast may have the same id.
  const one = account[KIND_ROWS[timer.of].plural][timer.id];
  if (one === undefined) return;
  const hasCome = (ms: number | null): boolean => ms !== null && ms <= world.nowMs;
  if (one.kind === 'campaign') {
    if (!hasCome(campaignTime(one))) return sendQueued(world, one);
    if (one.live.status === 'recalling') return enter(world, one, 'recalled', BY_SERVICE);
    return setCampaignStatus(world, one, 'archived', BY_SERVICE);
  }
  const [endMs, stateEndMs] = broadcastTimes(one);
  const { status } = one.live;
  // When its end passes, it counts as sent, in any state and however many fans it reached (BROADCAST-8).
  if (hasCome(endMs) && status !== 'sent' && !one.recalled) return enter(world, one, 'sent', BY_SERVICE);
  if (!hasCome(stateEndMs)) return;
  if (status === 'scheduled') queueNow(world, one, BY_SERVICE);
  if (status === 'queued') startQueued(world, account);
  if (status === 'sending') sendNext(world, account, one);
  if (status === 'paused') enter(world, one, 'archived', BY_SERVICE);
}

/** Starts queued broadcasts, picked at random, while fewer than three send (BROADCAST-9). */
function startQueued(world: World, account: AccountState): void {
  const all = Object.values(account.broadcasts);
  const ready = all.filter(
    (one) => one.live.status === 'queued' && (broadcastTimes(one)[1] ?? 0) <= world.nowMs,
  );
  let freeSlots = SENDING_MAX - all.filter(({ live }) => live.status === 'sending').length;
  for (; freeSlots > 0 && ready.length > 0; freeSlots -= 1) {
    const [picked] = ready.splice(world.drawBelow(ready.length), 1);
    if (picked === undefined) return;
    picked.live.targeted_recipients_count = account.fans.length;
    enter(world, picked, 'sending', BY_SERVICE);
  }
}

/**
 * Sends to the next fan. Fans follow one another over the whole duration, so that a pause can stop a send half-
 * way. Audience filters are not applied: the document does not define which fans they select.
 */
function sendNext(world: World, account: AccountState, broadcast: Broadcast): void {
  const { live } = broadcast;
  const fan = account.fans[broadcast.reached];
  if (fan === undefined) {
    live.progress_percent = 100;
    return enter(world, broadcast, 'sent', BY_SERVICE);
  }
  broadcast.reached += 1;
  recordDispatch(world, broadcast, fan);
  live.stats.sent_messages_count += 1;
  live.progress_percent = Math.floor((100 * broadcast.reached) / account.fans.length);
  broadcast.nextSendMs = world.nowMs + SEND_MS / account.fans.length;
  wake(world, broadcast, broadcast.nextSendMs);
}

/**
 * A fan fires a trigger: every active campaign with that trigger queues a send. Returns the number of sends. Audience
 * filters are not applied: the document does not define which fans they select.
 */
export function fireTrigger(world: World, { account_id, trigger, fan_id }: Fired): number {
  const matching = Object.values(world.getAccount({ account_id }).campaigns).filter(({ live }) => {
    const { status, action, rules } = live;
    const hasEnded = typeof rules['end_at'] === 'string' && Date.parse(rules['end_at']) <= world.nowMs;
    return status === 'active' && live.trigger === trigger && action === 'send_message' && !hasEnded;
  });
  for (const campaign of matching) {
    const { min_sec = 0, range_sec = 0 } = Object(campaign.live.rules['send_delay_interval']);
    const dueMs = world.nowMs + (min_sec + world.drawBelow(range_sec + 1)) * 1000;
    campaign.queue.push({ fan_id, due_ms: dueMs });
    campaign.live.targeted_sends_count += 1;
    wake(world, campaign, dueMs);
  }
  return matching.length;
}

/** Sends what is due, also of a half archived campaign. Assumed: a pause holds it (CAMPAIGN-8). */
function sendQueued(world: World, campaign: Campaign): void {
  if (campaign.live.status === 'paused') return;
  const due = campaign.queue.filter(({ due_ms }) => due_ms <= world.nowMs);
  campaign.queue = campaign.queue.filter((queued) => !due.includes(queued));
  campaign.live.stats.sent_messages_count += due.length;
  for (const { fan_id } of due) recordDispatch(world, campaign, fan_id);
}

/** The log of dispatches shows double sends: rows with the same fan and content. */
function recordDispatch(world: World, { kind, live }: Sender, fanId: string): void {
  world.dispatches.push({
    at: isoTime(world.nowMs),
    account_id: live.account_id,
    fan_id: fanId,
    kind,
    id: live.id,
    content: digest(live.messages),
    text: live.messages[0]?.text ?? null,
    taken_back: false,
  });
}

export const MESSAGING_TIMERS = { messaging: advanceSender } as const satisfies Timers;
