import { LEAVING_MS } from '../domain/broadcast.ts';
import type { ObjectStep } from '../domain/change.ts';
import { broadcastStatusOf, isPaused, STATUS_TRAITS } from '../domain/status.ts';
import { failure, OK, type StepResult } from './call-result.ts';
import { hasLeft } from './moved.ts';
import { readByIdOrList } from './read-now.ts';
import { serviceNowMs, type StepContext } from './step-context.ts';

/**
 * After a broadcast was paused: a schedule that is still there proves that it never left, and its status that nobody
 * has switched it on since. Without that proof nothing is created, because both would go out.
 */
export async function checkNotLeftStep(context: StepContext, step: ObjectStep): Promise<StepResult> {
  const id = step.live_id;
  if (context.change.action === 'pause') return checkStillWaits(context, id);
  const read = await readByIdOrList(context.client, context.account, 'broadcast', id);
  if (read.kind === 'unread') {
    return {
      kind: 'failed',
      message: `${id} is paused, but cannot be read to prove that it never left. Nothing was created; run "herald apply" again to finish.`,
      denied: false,
    };
  }
  const { live } = read;
  if (!isPaused(live)) {
    return {
      kind: 'failed',
      message: `${id} is ${live.status ?? 'without a status'} now, not paused any more, so nothing was created beside it. Run "herald plan" again.`,
      denied: false,
    };
  }
  if (hasLeft('broadcast', live)) {
    return {
      kind: 'failed',
      message: `${id} has already left, so nothing was created in its place. It is paused now: resume it or unsend it by hand.`,
      denied: false,
    };
  }
  return OK;
}

/** Before a pause that nobody asked for by name: what is going out is let go, and never cut off half-way. */
async function checkStillWaits(context: StepContext, id: string): Promise<StepResult> {
  const params = { account_id: context.account.accountId, campaign_id: id };
  const read = await context.client.call('broadcasts.get', { params });
  if (read.kind !== 'done') return failure(read);
  const { status, scheduled_at: hour } = read.reply;
  const leadMs = Date.parse(hour ?? '') - serviceNowMs(context);
  const { runs, goingOut } = STATUS_TRAITS[broadcastStatusOf(read.reply)];
  if (runs && !goingOut && leadMs >= LEAVING_MS) return OK;
  const message = `${id} is ${status ?? 'without a status'} now${hour == null ? '' : `, for ${hour}`}: it has left, is about to, or was changed meanwhile, so it was not touched`;
  return { kind: 'failed', message, denied: false };
}
