import { ServiceError } from '../api/errors.ts';
import { IncompleteScanError } from '../api/pages.ts';
import type { Step } from '../domain/change.ts';
import { scanScope } from '../live/read.ts';
import { OK, type StepResult } from './call-result.ts';
import type { StepContext } from './step-context.ts';

/** Reads of a fresh object before its absence is believed; lists and reads may lag a little. */
const READ_BACK_TRIES = 3;
const READ_BACK_WAIT_MS = 1_000;

/**
 * After a broadcast was paused: a schedule that is still there proves that it never left. Without that
 * proof nothing is created, because both would go out.
 */
export async function checkNotLeftStep(context: StepContext, step: Step): Promise<StepResult> {
  const id = step.live_id ?? '';
  const scheduledAt = await readSchedule(context, id);
  if (scheduledAt === undefined) {
    return {
      kind: 'failed',
      message: `${id} is paused, but cannot be read to prove that it never left. Nothing was created; run "herald apply" again to finish.`,
      denied: false,
    };
  }
  if (scheduledAt === null) {
    return {
      kind: 'failed',
      message: `${id} has already left, so nothing was created in its place. It is paused now: resume it or unsend it by hand.`,
      denied: false,
    };
  }
  return OK;
}

/** The schedule; null once it has left, undefined when it cannot be read. */
async function readSchedule(context: StepContext, id: string): Promise<string | null | undefined> {
  const params = { account_id: context.account.accountId, campaign_id: id };
  const single = await context.client.call('broadcasts.get', { params });
  if (single.kind === 'done') return single.reply.scheduled_at ?? null;
  // The single read of a broadcast with unreadable content answers 502; its list entry still shows the schedule.
  try {
    const list = await scanScope(context.client, { account: context.account, kind: 'broadcast' });
    const entry = list.find((observed) => observed.live.id === id);
    return entry?.kind === 'broadcast' ? (entry.live.scheduled_at ?? null) : undefined;
  } catch (error) {
    if (error instanceof ServiceError || error instanceof IncompleteScanError) return undefined;
    throw error;
  }
}

/** Looks at what was created or switched on. A read that fails changes nothing: the answer was heard. */
export async function readBackStep(context: StepContext, step: Step): Promise<StepResult> {
  const id = context.createdId ?? step.live_id;
  if (id === null) return OK;
  const params = { account_id: context.account.accountId, campaign_id: id };
  const operation = context.change.address.kind === 'campaign' ? 'campaigns.get' : 'broadcasts.get';
  for (let attempt = 1; attempt <= READ_BACK_TRIES; attempt += 1) {
    const read = await context.client.call(operation, { params });
    if (read.kind === 'done') return describe(context, id, read.reply.status ?? null);
    if (attempt < READ_BACK_TRIES) await context.clock.sleep(READ_BACK_WAIT_MS);
  }
  return { kind: 'ok', liveId: id, note: 'could not be read back yet' };
}

/** What a campaign or broadcast may be right after it was created or switched on. */
const RUNNING: readonly (string | null)[] = ['active', 'scheduled', 'queued', 'sending', null];

function describe(context: StepContext, id: string, status: string | null): StepResult {
  if (RUNNING.includes(status)) return { kind: 'ok', liveId: id };
  const what = `${id} reads as ${status ?? 'no status'} after it was ${context.change.action === 'replace' ? 'created' : 'switched on'}`;
  return {
    kind: 'failed',
    message: `${what}. Somebody or the service changed it again; run "herald plan".`,
    denied: false,
  };
}
