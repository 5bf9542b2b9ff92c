import { BY_CONTROL, type Cause } from '../cause.ts';
import type { AccountState } from '../state.ts';
import {
  toCents,
  type PayoutRequest,
  type PayoutRequestSeed,
  type Payouts,
  type PayoutsSeed,
} from './state.ts';

const DAY_MS = 86_400_000;
/** Assumed: the time until earnings are available (PAYOUT-8). */
const EARNINGS_MATURE_MS = 7 * DAY_MS;

interface Now {
  readonly nowMs: number;
}

/**
 * Advances the payouts of an account to now: earnings become available, requests are approved. Call it before each
 * use.
 */
export function advancePayouts({ nowMs }: Now, { payouts }: AccountState): Payouts {
  if (payouts.pendingCents > 0) payouts.maturesMs ??= nowMs + EARNINGS_MATURE_MS;
  if (payouts.maturesMs !== null && payouts.maturesMs <= nowMs) {
    payouts.availableCents += payouts.pendingCents;
    payouts.pendingCents = 0;
    payouts.maturesMs = null;
  }
  for (const request of payouts.requests) {
    if (request.approvedMs === null || request.approvedMs > nowMs) continue;
    request.state = 'approved';
    request.approvedMs = null;
  }
  return payouts;
}

/** Stores a request. Unless it is rejected, its amount is permanently taken from the available balance. */
export function putRequest(
  { nowMs }: Now,
  account: AccountState,
  parts: Partial<PayoutRequest> & { readonly cents: number; readonly cause: Cause },
): PayoutRequest {
  const { payouts, live } = account;
  const request: PayoutRequest = {
    invoiceId: `inv-${live.platform_account_id}-${String(payouts.requests.length + 1).padStart(4, '0')}`,
    createdMs: nowMs,
    currency: payouts.currency,
    state: 'new',
    rejectReason: '',
    approvedMs: null,
    ...parts,
  };
  if (request.state === 'new') request.approvedMs = request.createdMs + payouts.pendingDays * DAY_MS;
  if (request.state !== 'rejected') payouts.availableCents -= request.cents;
  payouts.requests.push(request);
  return request;
}

/** Sets the payout data of an account. The time of pending earnings starts again. */
export function setPayouts({ payouts }: AccountState, seed: PayoutsSeed): Payouts {
  const { available, pending, pending_matures_at, currency, minimum, maximum, pending_days, period } = seed;
  if (available !== undefined) payouts.availableCents = toCents(available);
  if (pending !== undefined) Object.assign(payouts, { pendingCents: toCents(pending), maturesMs: null });
  if (pending_matures_at !== undefined) payouts.maturesMs = Date.parse(pending_matures_at);
  if (minimum !== undefined) payouts.minimumCents = toCents(minimum);
  if (maximum !== undefined) payouts.maximumCents = toCents(maximum);
  payouts.currency = currency ?? payouts.currency;
  payouts.pendingDays = pending_days ?? payouts.pendingDays;
  payouts.period = period ?? payouts.period;
  return payouts;
}

/** Adds a payout request that a person made without the API. The balance falls as with any other. */
export function seedPayoutRequest(world: Now, account: AccountState, seed: PayoutRequestSeed): PayoutRequest {
  const { amount = 50, currency, state, reject_reason, created_at, invoice_id } = seed;
  advancePayouts(world, account);
  return putRequest(world, account, {
    cents: toCents(amount),
    cause: BY_CONTROL,
    ...(currency === undefined ? {} : { currency }),
    ...(state === undefined ? {} : { state }),
    ...(reject_reason === undefined ? {} : { rejectReason: reject_reason }),
    ...(created_at === undefined ? {} : { createdMs: Date.parse(created_at) }),
    ...(invoice_id === undefined ? {} : { invoiceId: invoice_id }),
  });
}
