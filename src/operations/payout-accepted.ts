import type { Client } from '../api/client.ts';
import { ServiceError } from '../api/errors.ts';
import { IncompleteScanError } from '../api/pages/incomplete.ts';
import type { PlatformAccount } from '../live/targets.ts';
import type { PayoutTrace } from './payout-acts.ts';
import { exactCents, PAYOUT_CURRENCY } from './payout-amount.ts';
import { isRejected, lowerCents } from './payout-checks.ts';
import { placeOf, readPayoutRequests, type PayoutRequest } from './payout-list.ts';

/** The list and the balance after a request that the service accepted. */
export type AcceptedLook =
  /** `request` is null where the list does not name it yet; `others` are new requests of other amounts. */
  | {
      readonly kind: 'one';
      readonly request: PayoutRequest | null;
      readonly others: readonly PayoutRequest[];
    }
  /** Another request of the same amount was made at the same time. `requests` are those in the list. */
  | {
      readonly kind: 'two';
      readonly requests: readonly PayoutRequest[];
      readonly availableCents: number | null;
    };

/**
 * The answer to a payout request contains no invoice, so the new entry of the list is looked up. A second new
 * request of the same amount is from someone else, and only a person knows whether both were intended.
 *
 * | new requests of this amount | the balance fell, beyond the other new requests | the look |
 * |-----------------------------|-------------------------------------------------|----------|
 * | two or more                 | by any amount                                   | two      |
 * | one or none                 | by twice the amount or more                     | two      |
 * | one or none                 | by less, or it cannot be read                   | one      |
 *
 * Never throws for what the service does.
 */
export async function lookAtAccepted(
  client: Client,
  account: PlatformAccount,
  trace: PayoutTrace,
): Promise<AcceptedLook> {
  const fresh = await freshRequests(client, account, trace);
  const availableCents = await readAvailable(client, account);
  const same = fresh.filter((request) => mayBeOf(trace, request));
  const others = fresh.filter((request) => !same.includes(request));
  const counted = same.filter((request) => !isRejected(request));
  const explainedCents = others.reduce((sum, request) => sum + centsTaken(request), 0);
  const fellCents =
    availableCents === null ? 0 : (trace.availableCents ?? 0) - availableCents - explainedCents;
  if (counted.length > 1 || fellCents >= 2 * trace.cents)
    return { kind: 'two', requests: counted, availableCents };
  const [only] = counted.length > 0 ? counted : same;
  return { kind: 'one', request: only !== undefined && isOf(trace, only) ? only : null, others };
}

/** What is available now, in cents; null when it cannot be read. */
export async function readAvailable(client: Client, account: PlatformAccount): Promise<number | null> {
  const balances = await client.call('payouts.balances', { params: placeOf(account) });
  return balances.kind === 'done' ? lowerCents(balances.reply.payoutAvailable) : null;
}

async function freshRequests(
  client: Client,
  account: PlatformAccount,
  { baseline }: PayoutTrace,
): Promise<readonly PayoutRequest[]> {
  try {
    const requests = await readPayoutRequests(client, account);
    return requests.filter(({ invoiceId }) => !baseline.includes(invoiceId));
  } catch (error) {
    if (error instanceof ServiceError || error instanceof IncompleteScanError) return [];
    throw error;
  }
}

function centsTaken(request: PayoutRequest): number {
  return isRejected(request) ? 0 : (exactCents(request.amount) ?? 0);
}

function isOf({ cents }: PayoutTrace, { amount, currency }: PayoutRequest): boolean {
  return exactCents(amount) === cents && (currency ?? PAYOUT_CURRENCY) === PAYOUT_CURRENCY;
}

/** An amount that cannot be read may be the same one. */
function mayBeOf(trace: PayoutTrace, request: PayoutRequest): boolean {
  return isOf(trace, request) || exactCents(request.amount) === null;
}
