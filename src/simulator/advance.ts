import { archivePaused, finishRecall, sendQueued } from './campaign-lifecycle.ts';
import { archiveAfterPause, queueWhenDue, finishAtEnd, runQueued, sendNext } from './broadcast-lifecycle.ts';
import { rewriteTexts } from './late-rewrite.ts';
import { sendBlockedEvent } from './chat/tell-blocked.ts';
import type { AccountState, Broadcast, Campaign } from './state.ts';
import { takeDueTimer, type Timer, type TimerOf } from './timers.ts';
import { advanceVault } from './vault/lifecycle.ts';
import { findAccount, type World } from './world.ts';

/** Executes a request with a lost answer. Passed in, because timers may not import handlers. */
export type CommitLate = (world: World, timer: TimerOf<'late_commit'>) => void;

/** Runs every event that is due up to `nowMs`, in order of time. Time never goes back. */
export function advanceTo(world: World, nowMs: number, commitLate: CommitLate): void {
  for (;;) {
    const due = takeDueTimer(world, nowMs);
    if (due === undefined) break;
    world.nowMs = Math.max(world.nowMs, due.dueMs);
    if (due.timer.kind === 'late_commit') commitLate(world, due.timer);
    else fire(world, due.timer);
  }
  world.nowMs = Math.max(world.nowMs, nowMs);
}

function fire(world: World, timer: Exclude<Timer, { kind: 'late_commit' }>): void {
  const account = findAccount(world, timer.account_id);
  if (account === undefined) return;
  if (timer.kind === 'broadcast_run') return runQueued(world, account);
  if (timer.kind === 'upload_move') return void advanceVault(world, account);
  if (timer.kind === 'chat_blocked') return sendBlockedEvent(world, account, timer);
  const campaign = account.campaigns[timer.id];
  if (campaign !== undefined) fireCampaign(world, campaign, timer);
  const broadcast = account.broadcasts[timer.id];
  if (broadcast !== undefined) fireBroadcast(world, account, broadcast, timer);
}

function fireCampaign(world: World, campaign: Campaign, timer: Timer): void {
  switch (timer.kind) {
    case 'campaign_archive':
      return archivePaused(world, campaign);
    case 'campaign_recalled':
      return finishRecall(world, campaign);
    case 'campaign_send':
      return sendQueued(world, campaign, timer.send);
    case 'late_rewrite':
      if (timer.of === 'campaign') rewriteTexts(world, campaign, timer);
      return;
    default:
      // A timer of a broadcast with the same id.
      return;
  }
}

function fireBroadcast(world: World, account: AccountState, broadcast: Broadcast, timer: Timer): void {
  switch (timer.kind) {
    case 'broadcast_due':
      return queueWhenDue(world, broadcast);
    case 'broadcast_send':
      return sendNext(world, account, broadcast);
    case 'broadcast_end':
      return finishAtEnd(world, broadcast);
    case 'broadcast_archive':
      return archiveAfterPause(world, broadcast);
    case 'late_rewrite':
      if (timer.of === 'broadcast') rewriteTexts(world, broadcast, timer);
      return;
    default:
      // A timer of a campaign with the same id.
      return;
  }
}
