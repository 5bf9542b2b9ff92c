import { CATALOGUE } from '../../api/catalogue.ts';
import { kindCallOf } from '../../api/kind-calls.ts';
import { objectKey, type Knowledge } from '../../domain/knowledge.ts';
import { startsSending } from '../../domain/status.ts';
import { actsOf, type Act } from '../../ledger/acts.ts';
import { isOpenAct } from '../../ledger/keep.ts';
import type { Reduced } from '../../ledger/reduced.ts';
import { contradicts, type FanLabels } from '../fan-label.ts';
import { REQUEST_PAYOUT } from '../payout-acts.ts';
import { kindOf, nameOf, targetOf } from './changes.ts';
import type { RawCall, RawPorts } from './raw-call.ts';

/**
 * Entries of unconfirmed requests. The call must not be sent while one of them may still be executed.
 *
 * | the call               | an open request                                                     |
 * |------------------------|---------------------------------------------------------------------|
 * | a create               | a create of the same name                                           |
 * | a create without one   | a create of this kind without a name on the account                 |
 * | a status               | another status of the object; a recall of it, where it starts sending |
 * | a recall               | a recall of the object                                              |
 * | a chat message         | a message to the chat                                               |
 * | a payout               | a payout of the account                                             |
 * | a follow               | a follow of the fan                                                 |
 * | a label                | another value of the same label of the fan                          |
 * | anything about uploads | one about the same key                                              |
 */
export function openAgainst({ knowledge, lines }: Reduced, call: RawCall): readonly string[] {
  const { operation } = call;
  const kindCall = kindCallOf(operation);
  // A create without a name is recorded as an act: only its name could tell which object it made.
  const isNameless = kindCall?.call === 'create' && nameOf(call) === null;
  if (kindCall !== null && !isNameless) return changesAgainst(knowledge, call);
  return actsOf(lines)
    .filter((act) => isOpenAct(act) && isAgainst(act, call))
    .map(({ entry }) => entry);
}

/**
 * Copies of another status that may still arrive, because their answers were lost: the time until then, in
 * milliseconds.
 */
export function lateCopyMs({ ledger, clock }: RawPorts, call: RawCall, settleMs: number): number {
  const target = targetOf(call);
  if (target === null) return 0;
  const { account_id: accountId = '', campaign_id: liveId = '' } = call.params;
  const key = objectKey(accountId, kindOf(call.operation), liveId);
  const others = ledger.lateChanges.of(key).filter((copy) => copy.target !== target);
  const lateMs = others.map((copy) => ledger.ages.here(copy, copy.entry).sentAtMs + settleMs - clock.now());
  return Math.max(0, ...lateMs);
}

function changesAgainst(knowledge: Knowledge, call: RawCall): readonly string[] {
  const { account_id: accountId = '', campaign_id: liveId } = call.params;
  const [kind, name, target] = [kindOf(call.operation), nameOf(call), targetOf(call)];
  const starts = startsSending(target);
  return knowledge.open
    .filter((open) => open.accountId === accountId && open.address.kind === kind)
    .filter((open) => {
      if (liveId === undefined) return open.call === 'create' && open.address.name === name;
      if (open.liveId !== liveId) return false;
      if (open.call === 'unsend') return target === null || starts;
      return target !== null && open.target !== target;
    })
    .map(({ entry }) => entry);
}

/** Whether the call must not be sent while this act may still be executed. */
export function isAgainst(act: Act, { operation, params, body }: RawCall): boolean {
  const { details } = act;
  if (operation === REQUEST_PAYOUT)
    return act.operation === operation && details['platform_account_id'] === params['platform_account_id'];
  if (act.accountId !== params['account_id']) return false;
  if (operation.startsWith('vault.')) return isSameKey(details['key'], body);
  if (act.operation !== operation) return false;
  if (operation === 'chat.send') return details['chat_id'] === params['chat_id'];
  if (details['fan_id'] !== params['fan_id']) return false;
  return operation !== 'fans.label' || contradicts(details['labels'], labelsIn(body));
}

function labelsIn(body: unknown): FanLabels {
  const { custom_name: name, note } = CATALOGUE['fans.label'].body.parse(body);
  return {
    ...(name === undefined ? {} : { custom_name: name }),
    ...(note === undefined ? {} : { note }),
  };
}

function isSameKey(key: unknown, body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'key' in body && body.key === key;
}
