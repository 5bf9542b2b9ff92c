import { conflict } from './answers.ts';
import { drawBelow } from './random.ts';
import { BY_SERVICE, recallDispatches, recordCommit, recordDispatch, type Cause } from './records.ts';
import type { AccountState, Broadcast } from './state.ts';
import { setTimer } from './timers.ts';
import type { World } from './world.ts';

const DAY_MS = 86_400_000;
/** A paused broadcast can be resumed for five days (BROADCAST-17). Assumed: to the millisecond (LIMIT-7). */
const RESUME_WINDOW_MS = 5 * DAY_MS;
/** It can be recalled within 24 hours of its last status change. Assumed: to the millisecond (LIMIT-7). */
const UNSEND_WINDOW_MS = DAY_MS;
/** At most three send at the same time. Assumed: per account (BROADCAST-9). */
const RUNNING_MAX = 3;

/** The states that the API names. All others read as null (BROADCAST-12). */
const NAMED: readonly string[] = ['scheduled', 'queued', 'sending', 'paused'];

export function nameState({ modes }: World, status: string): string | null {
  if (status === 'sent') return modes.endedStatus === 'sent' ? status : null;
  if (status === 'archived') return modes.archivedStatus === 'archived' ? status : null;
  return NAMED.includes(status) ? status : null;
}

/**
 * | from                       | requested: paused    | requested: queued                                             |
 * |----------------------------|----------------------|---------------------------------------------------------------|
 * | scheduled, queued, sending | paused               | queued: no change; the others are refused (BROADCAST-19)      |
 * | paused                     | accepted, no change  | within 5 days: scheduled before its hour, else queued         |
 * | finished, archived         | refused              | refused                                                       |
 */
export function setBroadcastStatus(
  world: World,
  broadcast: Broadcast,
  status: 'paused' | 'queued',
  cause: Cause,
): void {
  if (status === 'queued') return resume(world, broadcast, cause);
  const { live } = broadcast;
  if (live.status === 'paused') return;
  if (live.status !== 'scheduled' && live.status !== 'queued' && live.status !== 'sending')
    throw conflict('a broadcast that has finished cannot be paused');
  live.pause_reason = 'manual';
  changeStatus(world, broadcast, 'paused', cause);
}

function resume(world: World, broadcast: Broadcast, cause: Cause): void {
  const { status, scheduled_at } = broadcast.live;
  if (status === 'queued') return;
  const isRunning = status === 'scheduled' || status === 'sending';
  if (isRunning && world.modes.resumeOfRunning === 'accept') return;
  if (status !== 'paused') throw conflict('only a paused broadcast can be resumed');
  if (world.nowMs > broadcast.statusSinceMs + RESUME_WINDOW_MS)
    throw conflict('a broadcast can be resumed within 5 days of pausing');
  // Assumed: if its hour passed during the pause, it is sent at once, so it is queued (BROADCAST-18).
  if (scheduled_at !== null && Date.parse(scheduled_at) > world.nowMs)
    changeStatus(world, broadcast, 'scheduled', cause);
  else queueNow(world, broadcast, cause);
}

/** Queues it for sending and removes its schedule (BROADCAST-11). */
function queueNow(world: World, broadcast: Broadcast, cause: Cause): void {
  broadcast.live.scheduled_at = null;
  broadcast.live.scheduled_at_timezone = null;
  changeStatus(world, broadcast, 'queued', cause);
}

function changeStatus(
  world: World,
  broadcast: Broadcast,
  status: string,
  cause: Cause,
  change: 'status' | 'unsend' = 'status',
): void {
  const freesSlot = broadcast.live.status === 'sending';
  if (status !== 'paused') broadcast.live.pause_reason = null;
  broadcast.live.status = status;
  broadcast.statusSinceMs = world.nowMs;
  broadcast.nextSendMs = null;
  setBroadcastTimers(world, broadcast);
  const account = world.accounts[broadcast.live.account_id];
  if (account !== undefined && freesSlot) planRun(world, account, world.nowMs);
  recordCommit(world, cause, broadcast, change);
}

/** Sets the timers for its current state. Also called after creates, seeds and edits. */
export function setBroadcastTimers(world: World, broadcast: Broadcast): void {
  const { account_id, id, status, scheduled_at, rules } = broadcast.live;
  const endAt = rules['end_at'];
  if (typeof endAt === 'string')
    setTimer(world, Date.parse(endAt), { kind: 'broadcast_end', account_id, id });
  if (status === 'scheduled' && scheduled_at !== null)
    setTimer(world, Date.parse(scheduled_at), { kind: 'broadcast_due', account_id, id });
  if (status === 'paused')
    setTimer(world, archiveMs(world, broadcast), { kind: 'broadcast_archive', account_id, id });
  const account = world.accounts[account_id];
  if (account !== undefined && status === 'queued') planRun(world, account, readyMs(world, broadcast));
  if (status === 'sending' && broadcast.nextSendMs === null) planSend(world, broadcast, world.nowMs);
}

function archiveMs(world: World, broadcast: Broadcast): number {
  return (
    broadcast.statusSinceMs + RESUME_WINDOW_MS + Math.max(1, world.modes.archiveAfterResumeWindowSec * 1000)
  );
}

function readyMs(world: World, broadcast: Broadcast): number {
  return broadcast.statusSinceMs + world.modes.queueDelaySec * 1000;
}

function planRun(world: World, account: AccountState, dueMs: number): void {
  if (account.nextRunMs !== null && account.nextRunMs <= dueMs) return;
  account.nextRunMs = dueMs;
  setTimer(world, dueMs, { kind: 'broadcast_run', account_id: account.live.id });
}

export function queueWhenDue(world: World, broadcast: Broadcast): void {
  const { status, scheduled_at } = broadcast.live;
  if (status !== 'scheduled' || scheduled_at === null || Date.parse(scheduled_at) > world.nowMs) return;
  queueNow(world, broadcast, BY_SERVICE);
}

/** Starts queued broadcasts, picked at random, while fewer than three send (BROADCAST-9). */
export function runQueued(world: World, account: AccountState): void {
  if (account.nextRunMs === null || account.nextRunMs > world.nowMs) return;
  account.nextRunMs = null;
  const all = Object.values(account.broadcasts);
  const queued = all.filter(({ live }) => live.status === 'queued');
  const ready = queued.filter((broadcast) => readyMs(world, broadcast) <= world.nowMs);
  let freeSlots = RUNNING_MAX - all.filter(({ live }) => live.status === 'sending').length;
  for (; freeSlots > 0 && ready.length > 0; freeSlots -= 1) {
    const [picked] = ready.splice(drawBelow(world, ready.length), 1);
    if (picked === undefined) return;
    picked.live.targeted_recipients_count = account.fans.length;
    changeStatus(world, picked, 'sending', BY_SERVICE);
  }
  // If all slots are taken, the next broadcast to finish calls this again.
  const waiting = queued.filter((broadcast) => readyMs(world, broadcast) > world.nowMs);
  if (freeSlots > 0 && waiting.length > 0)
    planRun(
      world,
      account,
      waiting.reduce((soonest, one) => Math.min(soonest, readyMs(world, one)), Infinity),
    );
}

function planSend(world: World, broadcast: Broadcast, dueMs: number): void {
  const { account_id, id } = broadcast.live;
  broadcast.nextSendMs = dueMs;
  setTimer(world, dueMs, { kind: 'broadcast_send', account_id, id });
}

/**
 * Sends to the next fan. Fans follow one another over the whole duration, so that a pause can stop a send half-
 * way. Audience filters are not applied: the document does not define which fans they select.
 */
export function sendNext(world: World, account: AccountState, broadcast: Broadcast): void {
  const { live } = broadcast;
  if (live.status !== 'sending' || broadcast.nextSendMs === null || broadcast.nextSendMs > world.nowMs)
    return;
  const fan = account.fans[broadcast.reached];
  if (fan === undefined) {
    live.progress_percent = 100;
    return changeStatus(world, broadcast, 'sent', BY_SERVICE);
  }
  broadcast.reached += 1;
  recordDispatch(world, broadcast, fan);
  live.stats.sent_messages_count += 1;
  live.progress_percent = Math.floor((100 * broadcast.reached) / account.fans.length);
  planSend(world, broadcast, world.nowMs + (world.modes.sendDurationSec * 1000) / account.fans.length);
}

/** When its end passes, a broadcast counts as sent, in any state and however many fans it reached (BROADCAST-8). */
export function finishAtEnd(world: World, broadcast: Broadcast): void {
  const { live, recalled } = broadcast;
  const endAt = live.rules['end_at'];
  if (typeof endAt !== 'string' || Date.parse(endAt) > world.nowMs) return;
  if (live.status !== 'sent' && !recalled) changeStatus(world, broadcast, 'sent', BY_SERVICE);
}

export function archiveAfterPause(world: World, broadcast: Broadcast): void {
  if (broadcast.live.status !== 'paused' || archiveMs(world, broadcast) > world.nowMs) return;
  changeStatus(world, broadcast, 'archived', BY_SERVICE);
}

/**
 * Allowed in any status, within 24 hours of its last change. A repeat recalls nothing (BROADCAST-20,
 * BROADCAST-21).
 */
export function recallBroadcast(world: World, broadcast: Broadcast, cause: Cause): void {
  if (broadcast.recalled) return;
  if (world.nowMs > broadcast.statusSinceMs + UNSEND_WINDOW_MS)
    throw conflict('a broadcast can be recalled within 24 hours of its last status change');
  broadcast.recalled = true;
  broadcast.live.stats.unsent_messages_count += recallDispatches(world, broadcast, 0);
  // Assumed: an archived one stays archived; all others get a state that the API does not name (BROADCAST-8).
  const status = broadcast.live.status === 'archived' ? 'archived' : 'recalled';
  changeStatus(world, broadcast, status, cause, 'unsend');
}
