import { KIND_CALLS } from '../api/kind-calls.ts';
import { KIND_ROWS } from '../domain/kind.ts';
import type { Send } from '../api/client.ts';
import type { Exchange } from '../api/exchange.ts';
import type { BeforeSend } from '../api/request.ts';
import type { ObjectStep } from '../domain/change.ts';
import type { LiveId } from '../domain/ids.ts';
import type { Kind } from '../domain/resource.ts';
import { isRecalled } from '../domain/status.ts';
import { joinSentences } from '../domain/join-sentences.ts';
import { failure, type StepResult } from './call-result.ts';
import { readById } from '../live/read-object.ts';
import { recordedCall } from './recorded-call.ts';
import { lookFirst } from './step-look.ts';
import type { StepContext } from './step-context.ts';

/**
 * Waits between the attempts of a recall without an answer, in milliseconds. A campaign that is recalling has begun and
 * is not asked again. A second recall of a broadcast is harmless (LOST-3, LOST-7).
 */
const WAITS_MS: Readonly<Record<Kind, readonly number[]>> = {
  campaign: [2_000, 10_000],
  broadcast: [5_000, 15_000, 40_000],
};

type LostRecall = Extract<Exchange<null>, { readonly kind: 'unknown' }>;

/** Takes back what an object sent. Irreversible, so a lost answer is looked up before it is asked for again. */
export async function recallStep(context: StepContext, step: ObjectStep): Promise<StepResult> {
  const liveId = step.live_id;
  const operation = KIND_CALLS[context.change.address.kind].unsend;
  const params = { account_id: context.account.accountId, campaign_id: liveId };
  const send = context.client.prepare(operation, { params });
  const result = await recordedCall<null>(context, {
    operation,
    intent: {
      call: 'unsend',
      live_id: liveId,
      target: null,
      purpose: context.byHand === null ? null : 'by_hand',
      content: null,
      hidden: null,
      wanted: null,
      supersedes: [],
      baseline: [],
    },
    lookFirst: (mayBeDone) => lookFirst(context, liveId, 'unsend', mayBeDone),
    send: (beforeSend) => untilHeard(context, liveId, send, beforeSend),
    rememberRefusal: (refused) => ({ for_good: isObjects(failure(refused)) }),
  });
  if (result.kind === 'not_begun') return result.result;
  if (result.kind === 'done') return { kind: 'ok', liveId };
  if (result.kind !== 'unknown') return failure(result);
  return {
    kind: 'unknown',
    message: joinSentences([
      `Unconfirmed: the recall of ${liveId} on account ${context.account.alias} may have succeeded: ${result.problem.what}`,
      'Check its status on the service before you try again.',
    ]),
  };
}

/** Refused for what the object is, such as its age, and not for the key or a wrong id: it would be refused again. */
function isObjects(failed: StepResult): boolean {
  return failed.kind === 'failed' && failed.refused === true;
}

/**
 * | answer                   | a campaign reads as recalled | else                                           |
 * |--------------------------|------------------------------|------------------------------------------------|
 * | heard                    |                              | that                                           |
 * | lost                     | done                         | again, a few times; then unknown               |
 * | refused, all were heard  | done                         | refused                                        |
 * | refused after a lost one | done                         | unknown: the lost one may be what was in its way |
 */
async function untilHeard(
  context: StepContext,
  liveId: LiveId,
  send: Send<null>,
  beforeSend: BeforeSend,
): Promise<Exchange<null>> {
  const waits = WAITS_MS[context.change.address.kind];
  let lost: LostRecall | null = null;
  for (let attempt = 0; ; attempt += 1) {
    const exchange = await send((earlier) => beforeSend(earlier ?? lost));
    if (exchange.kind === 'unknown') lost = exchange;
    const settled = await startedAlready(context, liveId, exchange);
    if (settled.kind === 'done') return settled;
    if (settled.kind !== 'unknown') return lost ?? settled;
    const waitMs = waits[attempt];
    if (waitMs === undefined || context.stop.aborted) return settled;
    await context.clock.sleep(waitMs);
  }
}

/** A campaign that reads as recalling or recalled has begun and finishes on its own (CAMPAIGN-13). */
async function startedAlready(
  context: StepContext,
  liveId: LiveId,
  exchange: Exchange<null>,
): Promise<Exchange<null>> {
  const unsure = exchange.kind === 'unknown' || exchange.kind === 'refused';
  const { kind } = context.change.address;
  if (!unsure || !KIND_ROWS[kind].showsRecall) return exchange;
  const read = await readById(context.client, { accountId: context.account.accountId, kind, liveId });
  const started = read.kind === 'done' && isRecalled(read.reply);
  return started ? { kind: 'done', reply: null, sentAtMs: exchange.sentAtMs } : exchange;
}
