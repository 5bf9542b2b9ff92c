import { KIND_CALLS } from '../api/kind-calls.ts';
import { formatCommand } from '../domain/command-line.ts';
import { KIND_ROWS } from '../domain/kind.ts';
import type { Exchange } from '../api/exchange.ts';
import { LEAVING_MS, SCHEDULE_LEAD_MS } from '../domain/broadcast.ts';
import type { ObjectStep, StepKind } from '../domain/change.ts';
import type { LiveId } from '../domain/ids.ts';
import type { PausePurpose } from '../domain/knowledge.ts';
import {
  isNamed,
  isPaused,
  showsTarget,
  statusOf,
  stopsSending,
  type TargetStatus,
} from '../domain/status.ts';
import { joinSentences } from '../domain/join-sentences.ts';
import { failure, type StepResult, type UnknownResult } from './call-result.ts';
import { lateCopies, mayStillLand, untilItCannotLand, untilNoOtherCanLand } from './late-copies.ts';
import { createInstead } from './step-create.ts';
import { readById } from '../live/read-object.ts';
import { recordedCall } from './recorded-call.ts';
import { lookFirst } from './step-look.ts';
import type { StatusChange } from './repeat-bound.ts';
import { statusCall, type StatusReply } from './status-call.ts';
import { serviceNowMs, stopPurpose, type StepContext } from './step-context.ts';
import { untilShown } from './until-shown.ts';

/** What each step asks of the service; `queued` is how a broadcast is resumed. */
const TARGETS: Readonly<Partial<Record<StepKind, TargetStatus>>> = {
  pause: 'paused',
  archive: 'archived',
  activate: 'active',
  reactivate: 'active',
  resume: 'queued',
};

/** The status that a step asks for; null for steps that ask for none. */
export function targetOf(kind: StepKind): TargetStatus | null {
  return TARGETS[kind] ?? null;
}

/**
 * Asks for a status until the answer is heard. A read that shows the target is not an answer: the change
 * may be half done (CAMPAIGN-7).
 */
export async function statusStep(context: StepContext, step: ObjectStep): Promise<StepResult> {
  const liveId = step.live_id;
  const target = targetOf(step.kind);
  if (target === null) throw new Error(`the step ${step.kind} asks for no status`);
  const { account, change, repeats } = context;
  const asked = { accountId: account.accountId, kind: change.address.kind, liveId, target };
  const send = statusCall(context.client, asked);
  const over = repeats.reasonNotToBegin(asked);
  if (over !== null) return notAskedAgain(context, asked, over);
  if (context.byHand?.stopNow !== true) await untilNoOtherCanLand(context, liveId, target);
  const result = await recordedCall<Held>(context, {
    operation: KIND_CALLS[change.address.kind].setStatus,
    intent: {
      call: 'status',
      live_id: liveId,
      target,
      purpose: purposeOf(context, target),
      ...(isSetAlready(context, liveId, target) ? { already: true } : {}),
      content: null,
      hidden: null,
      wanted: null,
      supersedes: [],
      baseline: [],
    },
    send: (beforeSend) =>
      send(async (earlier) => {
        const said = await beforeSend(earlier);
        if (said === null) repeats.sends(asked);
        return said;
      }),
    beforeSend: () => holdBack(context, liveId, target),
    lookFirst: (mayBeDone) =>
      lookFirst(context, liveId, target, mayBeDone || lateCopies(context, liveId, target).length > 0),
    endRepeats: () => repeats.reasonNotToRepeat(asked),
    // A resume that a 429 made wait until after its hour goes out at once, and a prune lets go what leaves meanwhile.
    withholdRepeats: target === 'queued' || isPrune(context),
    confirm: (exchange) => heldAlready(context, liveId, target, exchange),
  });
  if (result.kind === 'not_begun') return result.result;
  if (result.kind === 'unknown')
    return unconfirmed(context, asked, `never confirmed: ${result.problem.what}`);
  repeats.isCertain(asked);
  if (result.kind === 'done') {
    // It may have been paused for a moment.
    context.begun ||= result.reply?.isRead === true;
    const held = heldState(result.reply, target, liveId);
    if (held.kind === 'ok') context.ownStatuses.set(liveId, target);
    return held;
  }
  // Refused now, and an earlier copy of the same change may still be carried out.
  if (!mayStillLand(context, liveId, target)) return failure(result);
  const how = `not confirmed: an earlier request got no answer; then ${result.problem.what}`;
  return { ...unconfirmed(context, asked, how), refused: true };
}

function unconfirmed(
  { account }: StepContext,
  { kind, liveId, target }: StatusChange,
  how: string,
): UnknownResult {
  const what = `${kind} ${liveId} on account ${account.alias}`;
  return {
    kind: 'unknown',
    message: joinSentences([
      `Setting ${what} to ${target} was ${how}`,
      'Check its status, then run the same command again: it repeats the change.',
    ]),
  };
}

/** An earlier round of the same command has used up the two minutes. */
function notAskedAgain(context: StepContext, asked: StatusChange, over: string): StepResult {
  const { kind, liveId, target } = asked;
  if (lateCopies(context, liveId, target).length > 0) return unconfirmed(context, asked, over);
  const what = `${kind} ${liveId} on account ${context.account.alias}`;
  return {
    kind: 'failed',
    message: `Setting ${what} to ${target} was ${over}. A later list shows that it did not succeed. Run the same command again`,
    denied: false,
  };
}

function purposeOf(context: StepContext, target: TargetStatus): PausePurpose | null {
  return stopsSending(target) || context.byHand !== null ? stopPurpose(context) : null;
}

/** A person asked once more for the status that it has. */
function isSetAlready({ byHand, planned }: StepContext, liveId: LiveId, target: TargetStatus): boolean {
  const live = planned(liveId)?.live;
  return byHand !== null && live !== undefined && showsTarget(live, target);
}

/** Why the change must not be sent any more, as time went by since it was decided; null to go on. */
function holdBack(context: StepContext, liveId: LiveId, target: TargetStatus): string | null {
  if (target === 'paused') return tooNearToReplace(context, liveId) ?? tooNearToPrune(context, liveId);
  return target === 'queued' ? pastItsHour(context, liveId) : null;
}

/** The person agreed to wait for its time. After that time, a resume sends it immediately (LOST-6, FAULT-7). */
function pastItsHour(context: StepContext, liveId: LiveId): string | null {
  const planned = context.planned(liveId);
  if (context.byHand?.atOnce === true || planned?.kind !== 'broadcast') return null;
  const hour = planned.live.scheduled_at ?? null;
  if (hour === null || serviceNowMs(context) < Date.parse(hour)) return null;
  return `Not resumed: its time ${hour} has passed, so it would go out immediately`;
}

/**
 * A replace stops the old broadcast first. If no time is left to create the new one, or the old one is about to be
 * sent, the stop would only lose the send.
 */
function tooNearToReplace(context: StepContext, liveId: LiveId): string | null {
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
    : `Not replaced: there is too little time left, so ${liveId} goes out unchanged at ${oldAt}`;
}

/** A removed broadcast is stopped before it is sent, or not at all. */
function tooNearToPrune(context: StepContext, liveId: LiveId): string | null {
  const planned = context.planned(liveId);
  if (!isPrune(context) || planned?.kind !== 'broadcast') return null;
  const hour = planned.live.scheduled_at ?? '';
  return Date.parse(hour) - serviceNowMs(context) >= LEAVING_MS
    ? null
    : `Not paused: ${liveId} is sent at ${hour}, so it is too late to stop it safely`;
}

function isPrune({ declared, byHand }: StepContext): boolean {
  return declared === null && byHand === null;
}

/**
 * `statusStep` for a change of which the refusal decides what comes next. While an earlier copy may still be carried out, a
 * refusal proves nothing, so Herald waits for the end of its window: in a later run, a copy of unknown age would be as
 * young as now again. Asked once more after that, the service's answer counts.
 */
export async function statusStepToItsEnd(context: StepContext, step: ObjectStep): Promise<StepResult> {
  const first = await statusStep(context, step);
  if (first.kind !== 'unknown' || first.refused !== true) return first;
  if (!(await untilItCannotLand(context, step.live_id, targetOf(step.kind)))) return first;
  const second = await statusStep(context, step);
  // Not asked once more, so what became of the copy is not known.
  return second.kind === 'failed' && second.refused !== true ? first : second;
}

/**
 * Switches an archived campaign on. Assumed: the service allows it (CAMPAIGN-10). Only its refusal allows a create:
 * a 429, or a connection that was never made, does not say that the campaign cannot be switched on.
 */
export async function reactivateStep(context: StepContext, step: ObjectStep): Promise<StepResult> {
  const result = await statusStepToItsEnd(context, step);
  return result.kind === 'failed' && result.refused === true ? createInstead(context) : result;
}

/**
 * A repeat of an unconfirmed resume is refused if the first one succeeded (LOST-6), so a read that shows it is as good as
 * the answer. A pause needs an answer, and a refused one is checked (LOST-5).
 */
async function heldAlready(
  context: StepContext,
  liveId: LiveId,
  target: TargetStatus,
  exchange: Exchange<StatusReply>,
): Promise<Exchange<Held>> {
  const { kind } = context.change.address;
  const unsure =
    exchange.kind === 'refused' ||
    (exchange.kind === 'unknown' && target === 'queued') ||
    (exchange.kind === 'done' &&
      target === 'paused' &&
      !isNamed(statusOf({ status: exchange.reply?.status })));
  if (!unsure || !KIND_ROWS[kind].answersStatus) return exchange;
  const object = { accountId: context.account.accountId, kind, liveId };
  // After a success that says nothing that Herald knows, a read that shows the status of before may lag behind it.
  const read = await untilShown(
    context.clock,
    () => readById(context.client, object),
    (now) => exchange.kind !== 'done' || (now.kind === 'done' && showsTarget(now.reply, target)),
  );
  if (read.kind !== 'done') return exchange;
  const status = read.reply.status ?? null;
  const held = showsTarget(read.reply, target);
  // An answer without a known status does not prove anything, so the read decides.
  return held || exchange.kind === 'done'
    ? { kind: 'done', reply: { status, isRead: true }, sentAtMs: exchange.sentAtMs }
    : exchange;
}

/** The status of an answer, or of a read in its place. */
type Held = (StatusReply & { readonly isRead?: boolean }) | null;

/**
 * The answer has the broadcast's status, which may differ from the requested one. A read may show instead what someone has
 * made of it since.
 */
function heldState(reply: Held, target: TargetStatus, liveId: LiveId): StepResult {
  const held = reply?.status ?? null;
  if (target !== 'paused' || isPaused({ status: held })) return { kind: 'ok', liveId };
  // What could not be read yet is read back at the end of the change.
  if (reply?.isRead !== true && !isNamed(statusOf({ status: held }))) return { kind: 'ok', liveId };
  const message =
    reply?.isRead === true
      ? `The service answered the pause of ${liveId} without a status that Herald knows, and it reads as ${held ?? 'no status'} now. It was not paused, or someone has switched it on since. Run "${formatCommand('plan')}".`
      : `The service answered that ${liveId} is ${held ?? 'without a status'}, not paused. It may be going out.`;
  return { kind: 'failed', message, denied: false, refused: true };
}
