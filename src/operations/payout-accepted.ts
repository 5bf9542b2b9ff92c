import type { Client } from '../api/client.ts';
import { ServiceError } from '../api/errors.ts';
import { IncompleteScanError } from '../api/pages/incomplete.ts';
import type { PlatformAccount } from '../live/targets.ts';
import type { PayoutTrace } from './payout-acts.ts';
import { PAYOUT_CURRENCY, exactCents, lowerCents } from '../domain/payout-amount.ts';
import { placeOf, readPayoutRequests, type PayoutRequest } from './payout-list.ts';
import { isRejected } from '../domain/payout-standing.ts';

/** The list and the balance after a request that the service accepted. */
export type AcceptedLook =
  /** `request` is null where the list does not name it yet; `others` are new requests of other amounts. */
  | {
      readonly kind: 'one';
      readonly request: PayoutRequest | null;
      readonly others: readonly PayoutRequest[];
      /** Whether the balance fell by exactly the amount. */
      readonly hasFallen: boolean;
      /** What could not be read and was checked by the other of the two alone; null where both were read. */
      readonly unread: 'list' | 'balance' | null;
    }
  /** Another request was made at the same time: of the same amount, if the list shows two. `requests` are those in the list. */
  | {
      readonly kind: 'two';
      readonly requests: readonly PayoutRequest[];
      readonly availableCents: number | null;
    }
  /** Neither the list nor the balance shows it, so another one of the same amount cannot be ruled out. */
  | {
      readonly kind: 'unchecked';
      readonly isListRead: boolean;
      readonly availableCents: number | null;
    };

/**
 * The answer to a payout request contains no invoice, so the new entry of the list is looked up. A second new
 * request of the same amount is from someone else, and only a person knows whether both were intended.
 *
 * | new requests of this amount | the balance fell, beyond the other new requests | the look  |
 * |-----------------------------|-------------------------------------------------|-----------|
 * | two or more                 | by any amount                                   | two       |
 * | one or none                 | by twice the amount or more                     | two       |
 * | one                         | by less, or it cannot be read                   | one       |
 * | none                        | by exactly the amount                           | one       |
 * | none                        | by another amount, or it cannot be read         | unchecked |
 * | the list cannot be read     | by exactly the amount                           | one       |
 * | the list cannot be read     | by another amount, or it cannot be read         | unchecked |
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
  const same = (fresh ?? []).filter((request) => mayBeOf(trace, request));
  const others = (fresh ?? []).filter((request) => !same.includes(request));
  const counted = same.filter((request) => !isRejected(request));
  const fellCents = fallOf(trace, availableCents, others);
  const isTwice = fresh !== null && fellCents !== null && fellCents >= 2 * trace.cents;
  if (counted.length > 1 || isTwice) return { kind: 'two', requests: counted, availableCents };
  const [only] = counted.length > 0 ? counted : same;
  const request = only !== undefined && isOf(trace, only) ? only : null;
  if (request === null && fellCents !== trace.cents)
    return { kind: 'unchecked', isListRead: fresh !== null, availableCents };
  const unread = fresh === null ? 'list' : fellCents === null ? 'balance' : null;
  return { kind: 'one', request, others, hasFallen: fellCents === trace.cents, unread };
}

/** By how many cents the balance fell, beyond what other new requests took; null when that is not known. */
function fallOf(
  { availableCents: beforeCents }: PayoutTrace,
  nowCents: number | null,
  others: readonly PayoutRequest[],
): number | null {
  if (beforeCents === null || nowCents === null) return null;
  const explainedCents = others.reduce((sum, request) => sum + centsTaken(request), 0);
  return beforeCents - nowCents - explainedCents;
}

/** Whether the balance has fallen by exactly the amount since right before the request; false when that is not known. */
export async function hasFallenBy(
  client: Client,
  account: PlatformAccount,
  trace: PayoutTrace,
): Promise<boolean> {
  return fallOf(trace, await readAvailable(client, account), []) === trace.cents;
}

/** What is available now, in cents; null when it cannot be read. */
export async function readAvailable(client: Client, account: PlatformAccount): Promise<number | null> {
  const balances = await client.call('payouts.balances', { params: placeOf(account) });
  return balances.kind === 'done' ? lowerCents(balances.reply.payoutAvailable) : null;
}

/** Requests that were not there before; null when the list cannot be read. */
async function freshRequests(
  client: Client,
  account: PlatformAccount,
  { baseline }: PayoutTrace,
): Promise<readonly PayoutRequest[] | null> {
  try {
    const requests = await readPayoutRequests(client, account);
    return requests.filter(({ invoiceId }) => !baseline.includes(invoiceId));
  } catch (error) {
    if (error instanceof ServiceError || error instanceof IncompleteScanError) return null;
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
