import { CATALOGUE } from '../../api/catalogue.ts';
import type { Act } from '../../ledger/acts.ts';
import type { KeepEntry } from '../../ledger/reduction.ts';
import { CHAT_SEND, earlierSends, isSendTo } from '../chat-send.ts';
import { isPayout, knownPayouts, REQUEST_PAYOUT, similarOnRecord } from '../payout-acts.ts';
import { exactCents } from '../../domain/payout-amount.ts';
import type { EarliestTimes } from '../service-time.ts';
import { draftOf } from './acts.ts';
import { keptFor } from './late-labels.ts';
import type { RawCall, RawPorts } from './raw-call.ts';

/** What a call has to be compared with, next to the unconfirmed requests. */
export function comparedWith(call: RawCall): KeepEntry {
  if (call.operation === REQUEST_PAYOUT) return isPayout;
  return call.operation === CHAT_SEND ? isSendTo(placeOf(call)) : keptFor(call);
}

/**
 * Requests on record that this call would repeat: a payout of the same amount within 24 hours, or the same message to
 * the same chat within five minutes. It reads no list, because the call is sent as it was typed.
 */
export function similarTo(
  call: RawCall,
  { known: { lines }, accountId, aliasOf }: Pick<RawPorts, 'known' | 'accountId' | 'aliasOf'>,
  times: EarliestTimes,
): readonly Act[] {
  if (call.operation === CHAT_SEND) return earlierSends(lines, placeOf(call), draftOf(call.body), times).same;
  if (call.operation !== REQUEST_PAYOUT) return [];
  const platformAccountId = call.params['platform_account_id'] ?? '';
  const account = { alias: aliasOf(platformAccountId), accountId, platformAccountId };
  const { withdrawal_amount: usd } = CATALOGUE[REQUEST_PAYOUT].body.parse(call.body);
  const { counted } = knownPayouts(lines, account);
  return similarOnRecord({ cents: exactCents(usd) ?? 0 }, counted, [], times).map(({ act }) => act);
}

function placeOf({ params }: RawCall) {
  const { account_id: accountId = '', chat_id: chatId = '' } = params;
  return { account: { alias: accountId, accountId }, chatId };
}
