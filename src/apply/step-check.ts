import { LEAVING_MS } from '../domain/broadcast.ts';
import { RECALL_STATUSES } from '../domain/campaign.ts';
import type { ChangeKind, Step } from '../domain/change.ts';
import { failure, OK, type StepResult } from './call-result.ts';
import { hasLeft } from './moved.ts';
import { readById, readByIdOrList, type Live } from './read-now.ts';
import { serviceNowMs, type StepContext } from './step-context.ts';
import { progressOf } from './step-look.ts';

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
  const read = await readByIdOrList(context.client, context.account, 'broadcast', id);
  if (read.kind === 'unread') {
    return {
      kind: 'failed',
      message: `${id} is paused, but cannot be read to prove that it never left. Nothing was created; run "herald apply" again to finish.`,
      denied: false,
    };
  }
  const { live } = read;
  if (live.status !== 'paused') {
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
  if (status === 'scheduled' && leadMs >= LEAVING_MS) return OK;
  const message = `${id} is ${status ?? 'without a status'} now${hour == null ? '' : `, for ${hour}`}: it has left, is about to, or was changed meanwhile, so it was not touched`;
  return { kind: 'failed', message, denied: false };
}

/** Looks at what was created or switched on. A read that fails changes nothing: the answer was heard. */
export async function readBackStep(context: StepContext, step: Step): Promise<StepResult> {
  const id = context.createdId ?? step.live_id;
  if (id === null) return OK;
  const { account, change, client, clock } = context;
  const object = { accountId: account.accountId, kind: change.address.kind, liveId: id };
  let result: StepResult = { kind: 'ok', liveId: id, note: 'could not be read back yet' };
  for (let attempt = 1; attempt <= READ_BACK_TRIES; attempt += 1) {
    const read = await readById(client, object);
    if (read.kind === 'done') result = describe(context, id, read.reply);
    if (read.kind === 'done' && result.kind === 'ok') break;
    if (attempt < READ_BACK_TRIES) await clock.sleep(READ_BACK_WAIT_MS);
  }
  return result;
}

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
  retire: { statuses: ['paused', 'archived'], words: 'stopped' },
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
  if (mayLag(context, id, status))
    return {
      kind: 'ok',
      liveId: id,
      note: `${what}, which may be an old state; "herald plan" shows whether it lasts`,
    };
  return {
    kind: 'failed',
    message: `${what}. Somebody or the service changed it again; run "herald plan".`,
    denied: false,
  };
}

/** The answer has confirmed the stop, and a read that shows the state of before may lag behind it. */
function mayLag({ change, byHand, planned }: StepContext, id: string, status: string | null): boolean {
  return byHand === null && STOPS.includes(change.action) && status === (planned(id)?.live.status ?? null);
}

const STOPS: readonly ChangeKind[] = ['pause', 'retire'];

/** A broadcast that had begun to go out before its pause arrived has reached some fans: that is said. */
function leftWords({ change }: StepContext, id: string, live: Live): { readonly note?: string } {
  if (!STOPS.includes(change.action) || !hasLeft(change.address.kind, live)) return {};
  return { note: `${id} had begun to go out before it was paused${progressOf(live)}` };
}
