import { ServiceError } from '../api/errors.ts';
import { IncompleteScanError } from '../api/pages/incomplete.ts';
import { LEAVING_MS } from '../domain/broadcast.ts';
import { RECALL_STATUSES } from '../domain/campaign.ts';
import type { ChangeKind, Step } from '../domain/change.ts';
import type { BroadcastReply, CampaignReply } from '../domain/replies.ts';
import { scanScope } from '../live/read.ts';
import { failure, OK, type StepResult } from './call-result.ts';
import { serviceNowMs, type StepContext } from './step-context.ts';

/** Reads of a fresh object before its absence is believed; lists and reads may lag a little. */
const READ_BACK_TRIES = 3;
const READ_BACK_WAIT_MS = 1_000;

/**
 * After a broadcast was paused: a schedule that is still there proves that it never left, and its status that nobody
 * has switched it on since. Without that proof nothing is created, because both would go out.
 */
export async function checkNotLeftStep(context: StepContext, step: Step): Promise<StepResult> {
  const id = step.live_id ?? '';
  if (context.change.action === 'pause') return checkStillWaits(context, id);
  const live = await readOld(context, id);
  if (live === null) {
    return {
      kind: 'failed',
      message: `${id} is paused, but cannot be read to prove that it never left. Nothing was created; run "herald apply" again to finish.`,
      denied: false,
    };
  }
  if (live.status !== 'paused') {
    return {
      kind: 'failed',
      message: `${id} is ${live.status ?? 'without a status'} now, not paused any more, so nothing was created beside it. Run "herald plan" again.`,
      denied: false,
    };
  }
  if (live.scheduled_at == null) {
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
  if (status === 'scheduled' && leadMs >= LEAVING_MS) return OK;
  const message = `${id} is ${status ?? 'without a status'} now${hour == null ? '' : `, for ${hour}`}: it has left, is about to, or was changed meanwhile, so it was not touched`;
  return { kind: 'failed', message, denied: false };
}

/** As it is now; null when it cannot be read. */
async function readOld(
  context: StepContext,
  id: string,
): Promise<Pick<BroadcastReply, 'status' | 'scheduled_at'> | null> {
  const params = { account_id: context.account.accountId, campaign_id: id };
  const single = await context.client.call('broadcasts.get', { params });
  if (single.kind === 'done') return single.reply;
  // The single read of a broadcast with unreadable content answers 502; its list entry still shows the schedule.
  try {
    const list = await scanScope(context.client, { account: context.account, kind: 'broadcast' });
    const entry = list.find((observed) => observed.live.id === id);
    return entry?.kind === 'broadcast' ? entry.live : null;
  } catch (error) {
    if (error instanceof ServiceError || error instanceof IncompleteScanError) return null;
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
    if (read.kind === 'done') return describe(context, id, read.reply);
    if (attempt < READ_BACK_TRIES) await context.clock.sleep(READ_BACK_WAIT_MS);
  }
  return { kind: 'ok', liveId: id, note: 'could not be read back yet' };
}

type Live = CampaignReply | BroadcastReply;

interface End {
  /** What a campaign or broadcast may read as right after it; null where the service names no status. */
  readonly statuses: readonly (string | null)[];
  readonly words: string;
}

const RUNNING = ['active', 'scheduled', 'queued', 'sending', null] as const;

/** What each change that is read back must have come to. */
const ENDS: Readonly<Partial<Record<ChangeKind, End>>> = {
  replace: { statuses: RUNNING, words: 'created' },
  activate: { statuses: RUNNING, words: 'switched on' },
  resume: { statuses: RUNNING, words: 'switched on' },
  pause: { statuses: ['paused'], words: 'paused' },
  archive: { statuses: ['archived'], words: 'archived' },
  recall: { statuses: RECALL_STATUSES, words: 'recalled' },
};

function describe(context: StepContext, id: string, live: Live): StepResult {
  const { action } = context.change;
  // A replace that created nothing has switched the old one on.
  const end = ENDS[action === 'replace' && context.createdId === null ? 'resume' : action];
  const status = live.status ?? null;
  if (end === undefined || end.statuses.includes(status))
    return { kind: 'ok', liveId: id, ...leftWords(context, id, live) };
  const what = `${id} reads as ${status ?? 'no status'} after it was ${end.words}`;
  return {
    kind: 'failed',
    message: `${what}. Somebody or the service changed it again; run "herald plan".`,
    denied: false,
  };
}

/** A broadcast that had begun to go out before its pause arrived has reached some fans: that is said. */
function leftWords(context: StepContext, id: string, live: Live): { readonly note?: string } {
  if (context.change.action !== 'pause' || context.change.address.kind !== 'broadcast') return {};
  const { scheduled_at: hour, progress_percent: percent } = live;
  if (hour !== null && hour !== undefined) return {};
  const progress = typeof percent === 'number' ? ` (${percent} % done)` : '';
  return { note: `${id} had begun to go out before it was paused${progress}` };
}
