import { LEAVING_MS } from '../domain/broadcast.ts';
import type { ObjectStep } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { broadcastStatusOf, isPaused, STATUS_TRAITS } from '../domain/status.ts';
import { failure, OK, type StepResult } from './call-result.ts';
import { hasGoneOut } from './moved.ts';
import { readByIdOrList } from '../live/read-object.ts';
import { serviceNowMs, type StepContext } from './step-context.ts';
import { untilShown } from './until-shown.ts';

/**
 * Runs after a broadcast was paused. A schedule proves that it was never sent, and its status that no one has resumed it
 * since. Without that proof nothing is created, because both would go out.
 */
export async function checkNotLeftStep(context: StepContext, step: ObjectStep): Promise<StepResult> {
  const id = step.live_id;
  if (context.change.action === 'pause') return checkStillWaits(context, id);
  const read = await untilShown(
    context.clock,
    () => readByIdOrList(context.client, context.account, 'broadcast', id),
    (now) => now.kind === 'unread' || isPaused(now.live),
  );
  if (read.kind === 'unread') {
    return {
      kind: 'failed',
      message: `${id} is paused, but cannot be read to prove that it was never sent. Nothing was created. To finish, run "${formatCommand('apply')}" again.`,
      denied: false,
    };
  }
  const { live } = read;
  if (!isPaused(live)) {
    return {
      kind: 'failed',
      message: `${id} is ${live.status ?? 'without a status'} now, not paused any more, so no second one was created. Run "${formatCommand('plan')}" again.`,
      denied: false,
    };
  }
  if (hasGoneOut('broadcast', live)) {
    const command = (verb: string) =>
      formatCommand('broadcasts', verb, id, '--account', context.account.alias);
    return {
      kind: 'failed',
      message: `${id} has already been sent, at least in part, so no new one was created. It is paused now. To send the rest: ${command('resume')}. To recall it: ${command('recall')}`,
      denied: false,
    };
  }
  return OK;
}

/** Runs before a pause that no file and no person asked for by name: a broadcast that is going out is not stopped. */
async function checkStillWaits(context: StepContext, id: string): Promise<StepResult> {
  const params = { account_id: context.account.accountId, campaign_id: id };
  const read = await context.client.call('broadcasts.get', { params });
  if (read.kind !== 'done') return failure(read);
  const { status, scheduled_at: hour } = read.reply;
  const leadMs = Date.parse(hour ?? '') - serviceNowMs(context);
  const { runs, goingOut } = STATUS_TRAITS[broadcastStatusOf(read.reply)];
  if (runs && !goingOut && leadMs >= LEAVING_MS) return OK;
  const message = `${id} is ${status ?? 'without a status'} now${hour == null ? '' : `, for ${hour}`}: it was sent, is about to be sent, or was changed during the run, so Herald did not stop it`;
  return { kind: 'failed', message, denied: false };
}
