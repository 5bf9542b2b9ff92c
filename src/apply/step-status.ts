import type { Exchange } from '../api/exchange.ts';
import type { Withhold } from '../api/request.ts';
import { LEAVING_MS, SCHEDULE_LEAD_MS } from '../domain/broadcast.ts';
import type { Step } from '../domain/change.ts';
import { objectKey, type PausePurpose } from '../domain/knowledge.ts';
import { failure, type StepResult } from './call-result.ts';
import { createInstead } from './step-create.ts';
import { recordedCall } from './recorded-call.ts';
import { FRESH_MS, pausePurpose, serviceNowMs, type StepContext } from './step-context.ts';

type Status = 'active' | 'paused' | 'archived' | 'queued';
type StatusReply = { readonly status?: string | null | undefined } | null;

/** What each step asks of the service; `queued` is how a broadcast is resumed. */
const TARGETS = {
  pause: 'paused',
  archive: 'archived',
  activate: 'active',
  reactivate: 'active',
  resume: 'queued',
} as const;

/**
 * Asks for a status until the answer is heard. A read that shows the target is not an answer: the change
 * may be half done (service-api.md, Auto Messages campaign status).
 */
export async function statusStep(context: StepContext, step: Step): Promise<StepResult> {
  const liveId = step.live_id;
  if (liveId === null || !(step.kind in TARGETS))
    throw new Error(`the step ${step.kind} has no object to change`);
  const target = TARGETS[step.kind as keyof typeof TARGETS];
  await untilNoOtherCanLand(context, liveId, target);
  const result = await recordedCall<StatusReply>(context, {
    operation: context.change.address.kind === 'campaign' ? 'campaigns.set-status' : 'broadcasts.set-status',
    intent: {
      call: 'status',
      live_id: liveId,
      target,
      purpose: purposeOf(context, target),
      content: null,
      hidden: null,
      wanted: null,
      supersedes: [],
      baseline: [],
    },
    send: (withhold) => patchStatus(context, liveId, target, withhold),
    withhold: () => holdBack(context, liveId, target),
    // A resume that a 429 made wait until after its hour goes out at once, and a prune lets go what leaves meanwhile.
    withholdRepeats: target === 'queued' || isPrune(context),
    lookAgain: (exchange) => heldAlready(context, liveId, target, exchange),
  });
  if (result.kind === 'not_begun') return result.result;
  if (result.kind === 'unknown') {
    const what = `${context.change.address.kind} ${liveId} on account ${context.account.alias}`;
    return {
      kind: 'unknown',
      message: `Setting ${what} to ${target} was never confirmed: ${result.problem.what}. Look at its status, then run the same command again: it repeats the change.`,
    };
  }
  if (result.kind !== 'done') return failure(result);
  return heldState(result.reply, target, liveId);
}

function purposeOf(context: StepContext, target: Status): PausePurpose | null {
  return target === 'paused' || context.byHand !== null ? pausePurpose(context) : null;
}

/** Why the change must not be sent any more, as time went by since it was decided; null to go on. */
function holdBack(context: StepContext, liveId: string, target: Status): string | null {
  if (target === 'paused') return tooNearToReplace(context, liveId) ?? tooNearToPrune(context, liveId);
  return target === 'queued' ? pastItsHour(context, liveId) : null;
}

/** Agreed to wait for its hour: resumed after it, it would go out at once (rulebook M6, F7). */
function pastItsHour(context: StepContext, liveId: string): string | null {
  const planned = context.planned(liveId);
  if (context.byHand?.atOnce === true || planned?.kind !== 'broadcast') return null;
  const hour = planned.live.scheduled_at ?? null;
  if (hour === null || serviceNowMs(context) < Date.parse(hour)) return null;
  return `Not resumed: its hour ${hour} has passed meanwhile, so it would go out at once`;
}

/**
 * A replace stops the old broadcast first. When there is no time left to create the new one, or the old one
 * is about to leave, stopping it would only lose the send.
 */
function tooNearToReplace(context: StepContext, liveId: string): string | null {
  const { change, declared } = context;
  const old = context.planned(liveId);
  if (change.action !== 'replace' || declared?.kind !== 'broadcast' || old?.kind !== 'broadcast') return null;
  const nowMs = serviceNowMs(context);
  const oldAt = old.live.scheduled_at ?? '';
  const enough =
    Date.parse(declared.scheduledAtUtc) - nowMs >= SCHEDULE_LEAD_MS &&
    !(Date.parse(oldAt) - nowMs < LEAVING_MS);
  return enough
    ? null
    : `Not replaced: there is too little time left, so ${liveId} goes out at ${oldAt} as it is`;
}

/** What no file declares any more is stopped before it leaves or not at all. */
function tooNearToPrune(context: StepContext, liveId: string): string | null {
  const planned = context.planned(liveId);
  if (!isPrune(context) || planned?.kind !== 'broadcast') return null;
  const hour = planned.live.scheduled_at ?? '';
  return Date.parse(hour) - serviceNowMs(context) >= LEAVING_MS
    ? null
    : `Not paused: ${liveId} leaves at ${hour}, so it is not touched any more`;
}

function isPrune({ declared, byHand }: StepContext): boolean {
  return declared === null && byHand === null;
}

/**
 * A copy of an earlier change to another status may still land and undo this one (rulebook 1.2.2). A change
 * that has begun is waited for to its end; one that has not is left to an interrupt.
 */
async function untilNoOtherCanLand(context: StepContext, liveId: string, target: Status): Promise<void> {
  const { account, change, clock, ledger, settleMs, stop, begun } = context;
  const others = ledger.unheard
    .of(objectKey(account.accountId, change.address.kind, liveId))
    .filter((copy) => copy.target !== target);
  const lateMs = Math.max(...others.map((copy) => ledger.ages.here(copy, copy.entry).sentAtMs));
  const leftMs = lateMs + settleMs - clock.now();
  if (leftMs > FRESH_MS) context.listIsOld = true;
  if (leftMs > 0) await clock.sleep(leftMs, begun ? undefined : stop).catch(() => undefined);
}

/**
 * Switches an archived campaign on. Assumed: the service allows it, as its table says "any" while its prose
 * says that archiving stops a campaign for good (N43). Only a refusal of the service allows a create (rulebook
 * 2.6.4): held back by a 429, or without a connection, nobody has said that it cannot be switched on.
 */
export async function reactivateStep(context: StepContext, step: Step): Promise<StepResult> {
  const result = await statusStep(context, step);
  return result.kind === 'failed' && result.refused === true ? createInstead(context) : result;
}

/** Sets the status of a campaign or a broadcast; the request path repeats it until it is heard. */
function patchStatus(
  context: StepContext,
  liveId: string,
  target: Status,
  withhold: Withhold,
): Promise<Exchange<StatusReply>> {
  const params = { account_id: context.account.accountId, campaign_id: liveId };
  if (context.change.address.kind === 'campaign') {
    if (target === 'queued') throw new Error('a campaign has no status queued');
    return context.client.call('campaigns.set-status', { params, body: { status: target } }, withhold);
  }
  if (target !== 'paused' && target !== 'queued') throw new Error(`a broadcast has no status ${target}`);
  return context.client.call('broadcasts.set-status', { params, body: { status: target } }, withhold);
}

/** What a broadcast may be once a resume has been carried out. */
const RESUMED: readonly (string | null)[] = ['scheduled', 'queued', 'sending'];

/**
 * A resume whose answer was lost is refused when it is repeated, because the first one took effect (M6): a
 * read that shows it is as good as the answer. A pause has to be heard, and a refused one is looked at (M5).
 */
async function heldAlready(
  context: StepContext,
  liveId: string,
  target: Status,
  exchange: Exchange<StatusReply>,
): Promise<Exchange<StatusReply>> {
  const unsure =
    exchange.kind === 'refused' ||
    (exchange.kind === 'unknown' && target === 'queued') ||
    (exchange.kind === 'done' && target === 'paused' && exchange.reply?.status == null);
  if (!unsure || context.change.address.kind !== 'broadcast') return exchange;
  const params = { account_id: context.account.accountId, campaign_id: liveId };
  const read = await context.client.call('broadcasts.get', { params });
  if (read.kind !== 'done') return exchange;
  const status = read.reply.status ?? null;
  const held = target === 'paused' ? status === 'paused' : RESUMED.includes(status);
  // An answer without a status is no proof, so whatever the read shows takes its place.
  return held || exchange.kind === 'done'
    ? { kind: 'done', reply: { status }, sentAtMs: exchange.sentAtMs }
    : exchange;
}

/** A broadcast's answer states what it now is, which may be another status than the one asked for. */
function heldState(reply: StatusReply, target: Status, liveId: string): StepResult {
  const held = reply?.status ?? null;
  if (target === 'paused' && held !== null && held !== 'paused') {
    return {
      kind: 'failed',
      message: `The service answered that ${liveId} is ${held}, not paused. It may be going out.`,
      denied: false,
      refused: true,
    };
  }
  return { kind: 'ok', liveId };
}
