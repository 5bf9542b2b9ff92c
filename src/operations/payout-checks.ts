import type { Reply } from '../api/catalogue.ts';
import { fullInstantMs } from '../domain/full-instant.ts';
import { SIMILAR_PAYOUT_MS } from '../domain/repeats.ts';
import {
  exactCents,
  formatCents,
  lowerCents,
  PAYOUT_CURRENCY,
  upperCents,
  type PayoutAmount,
} from '../domain/payout-amount.ts';
import type { PayoutRequest } from './payout-list.ts';
import { isRejected } from '../domain/payout-standing.ts';

export type PayoutBalances = Reply<'payouts.balances'>;

/**
 * All reasons why the balances do not allow the payout. The minimum applies to the available balance, not to the
 * amount (PAYOUT-3). A missing or unexpected figure also blocks it.
 */
export function balanceProblems(amount: PayoutAmount, balances: PayoutBalances): readonly string[] {
  const { currency, payoutAvailable, minPayoutSumm, maxPayoutSumm } = balances;
  const problems: string[] = [];
  if (currency == null || currency === '')
    problems.push('The service does not say the currency of this account (currency).');
  else if (currency !== PAYOUT_CURRENCY)
    problems.push(`The account's currency is ${currency}; payouts are possible in ${PAYOUT_CURRENCY} only.`);
  const available = lowerCents(payoutAvailable);
  if (available === null) problems.push(missing('what is available', 'payoutAvailable'));
  else if (amount.cents > available)
    problems.push(`${amount.text} is more than the ${formatCents(available)} available (payoutAvailable).`);
  const maximum = lowerCents(maxPayoutSumm);
  if (maximum === null) problems.push(missing('the most that can be withdrawn now', 'maxPayoutSumm'));
  else if (amount.cents > maximum)
    problems.push(
      `${amount.text} is more than the ${formatCents(maximum)} that can be withdrawn now (maxPayoutSumm).`,
    );
  const minimum = upperCents(minPayoutSumm);
  if (minimum === null) problems.push(missing('the balance that a payout needs at least', 'minPayoutSumm'));
  else if (available !== null && available < minimum)
    problems.push(
      `The available ${formatCents(available)} is below the ${formatCents(minimum)} that a payout needs (minPayoutSumm).`,
    );
  return problems;
}

function missing(what: string, member: string): string {
  return `The service does not say ${what} (${member}), or not as an amount.`;
}

/**
 * Requests that may be the very one that is about to be made: of the same amount, of the last 24 hours, not
 * clearly rejected. What cannot be read of one counts against it.
 */
export function similarRequests(
  amount: PayoutAmount,
  requests: readonly PayoutRequest[],
  serviceNowMs: number,
): readonly PayoutRequest[] {
  return requests.filter((request) => {
    if (isRejected(request)) return false;
    const cents = exactCents(request.amount);
    if (cents !== null && cents !== amount.cents) return false;
    const createdMs = fullInstantMs(request.createdAt);
    return createdMs === null || serviceNowMs - createdMs < SIMILAR_PAYOUT_MS;
  });
}
