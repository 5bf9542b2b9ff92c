import type { Exchange } from '../api/exchange.ts';
import { RECALL_STATUSES } from '../domain/campaign.ts';
import type { Step } from '../domain/change.ts';
import { failure, type StepResult } from './call-result.ts';
import { recordedCall } from './recorded-call.ts';
import type { StepContext } from './step-context.ts';

/** Takes back what an object sent. Irreversible, so a lost answer is looked up and never repeated blindly. */
export async function recallStep(context: StepContext, step: Step): Promise<StepResult> {
  const liveId = step.live_id;
  if (liveId === null) throw new Error('a recall names its object');
  const params = { account_id: context.account.accountId, campaign_id: liveId };
  const operation = context.change.address.kind === 'campaign' ? 'campaigns.unsend' : 'broadcasts.unsend';
  const result = await recordedCall<null>(context, {
    operation,
    intent: {
      call: 'unsend',
      live_id: liveId,
      target: null,
      purpose: null,
      content: null,
      hidden: null,
      supersedes: [],
      baseline: [],
    },
    send: (withhold) => context.client.call(operation, { params }, withhold),
    lookAgain: (exchange) => startedAlready(context, liveId, exchange),
  });
  if (result.kind === 'not_begun') return result.result;
  if (result.kind === 'done') return { kind: 'ok', liveId };
  if (result.kind !== 'unknown') return failure(result);
  return {
    kind: 'unknown',
    message: `The recall of ${liveId} on account ${context.account.alias} was never confirmed: ${result.problem.what}. Look at its status before trying again.`,
  };
}

/** A campaign that reads as recalling or recalled has begun and finishes on its own (service-api.md, Unsend). */
async function startedAlready(
  context: StepContext,
  liveId: string,
  exchange: Exchange<null>,
): Promise<Exchange<null>> {
  const unsure = exchange.kind === 'unknown' || exchange.kind === 'refused';
  if (!unsure || context.change.address.kind !== 'campaign') return exchange;
  const read = await context.client.call('campaigns.get', {
    params: { account_id: context.account.accountId, campaign_id: liveId },
  });
  const started = read.kind === 'done' && RECALL_STATUSES.includes(read.reply.status ?? '');
  return started ? { kind: 'done', reply: null, sentAtMs: exchange.sentAtMs } : exchange;
}
