import { Refusal } from './answers.ts';
import { listPage } from './paging.ts';
import type { Call, Handlers, Seeders } from './calls.ts';
import type { AccountState, PayoutRequest, Payouts } from './state.ts';
import { type World, dropUndefined, isoTime } from './world.ts';

/** Assumed: the codes and names of the periods (PAYOUT-8). */
const PERIODS = [
  { code: 'manual', name: 'Manual' },
  { code: 'weekly', name: 'Weekly' },
  { code: 'monthly', name: 'Monthly' },
];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The amount that can be withdrawn never exceeds the available balance (PAYOUT-3). */
function readBalances(world: World, { params }: Call<'payouts.balances'>): object {
  const { payouts } = world.getAccount(params);
  return {
    payoutAvailable: payouts.available,
    payoutPending: payouts.pending,
    currency: payouts.currency,
    minPayoutSumm: payouts.minimum,
    maxPayoutSumm: Math.min(payouts.maximum, payouts.available),
    withdrawalPeriodOptions: PERIODS,
    manualPayoutPendingDays: payouts.pending_days,
    withdrawalPeriod: payouts.period,
  };
}

/**
 * Newest first. A marker excludes later requests; without one the list is live. The first marker is 0, to find
 * clients that take 0 for missing. The same snapshot has the same marker, so repeated reads add nothing.
 */
function listPayouts(world: World, call: Call<'payouts.list'>): object {
  const { payouts } = world.getAccount(call.params);
  const { markers } = payouts;
  const requests = payouts.requests.filter(({ listedFromMs = 0 }) => listedFromMs <= world.nowMs);
  const { marker: asked } = call.query;
  if (asked === undefined && !markers.includes(requests.length)) markers.push(requests.length);
  const marker = asked === undefined ? markers.indexOf(requests.length) : Number(asked);
  const count = asked === undefined ? requests.length : markers[marker];
  if (count === undefined) throw Refusal.invalid('unknown marker', 'marker');
  const shown = requests.slice(0, count).toReversed();
  return { ...listPage(call, shown, (request) => readRequest(world, payouts, request)), marker };
}

/** Irreversible (PAYOUT-1). The answer contains no invoice id. Assumed: a 400 for each refusal (PAYOUT-2). */
function requestPayout(world: World, { params, body, effects }: Call<'payouts.request'>): object {
  const { payoutsEnabled, payoutRejectReason: refused } = world.modes;
  if (!payoutsEnabled) throw new Refusal(403, 'Payouts are not available');
  const account = world.getAccount(params);
  const amount = body.withdrawal_amount;
  const { available, minimum, maximum, currency } = account.payouts;
  const refuse = (message: string) => Refusal.invalid(message, 'withdrawal_amount');
  if (currency !== 'USD') throw refuse(`payouts of this account are in ${currency}`);
  if (amount > available) throw refuse('exceeds the available balance');
  if (available < minimum) throw refuse('the available balance is below the minimum');
  if (amount > maximum) throw refuse('exceeds the maximum');
  const { state, reject_reason } = putRequest(world, account, {
    amount,
    listedFromMs: world.nowMs + effects.lagMs,
    ...(refused === null ? {} : { state: 'rejected', reject_reason: refused }),
  });
  return { list: [{ state, rejectReason: reject_reason }] };
}

/** Stores a request. Unless it is rejected, its amount is permanently taken from the available balance. */
function putRequest(
  { nowMs }: World,
  { payouts, live }: AccountState,
  parts: Partial<PayoutRequest> & Pick<PayoutRequest, 'amount'>,
): PayoutRequest {
  const request: PayoutRequest = {
    invoice_id: `inv-${live.platform_account_id}-${String(payouts.requests.length + 1).padStart(4, '0')}`,
    created_at: isoTime(nowMs),
    currency: payouts.currency,
    state: 'new',
    reject_reason: '',
    ...parts,
  };
  // Without the noise behind its cents.
  if (request.state !== 'rejected')
    payouts.available = Math.round((payouts.available - request.amount) * 100) / 100;
  payouts.requests.push(request);
  return request;
}

const OFFSET_HOURS = 2;

/** A new one is approved after its days. Times have an offset (READ-7). Assumed: not that of UTC. */
function readRequest({ nowMs }: World, { pending_days: days }: Payouts, request: PayoutRequest): object {
  const { invoice_id: invoiceId, amount, currency, reject_reason: rejectReason } = request;
  const createdMs = Date.parse(request.created_at);
  const createdAt = `${isoTime(createdMs + OFFSET_HOURS * HOUR_MS).slice(0, 19)}+0${OFFSET_HOURS}:00`;
  const isApproved = request.state === 'new' && createdMs + days * DAY_MS <= nowMs;
  const state = isApproved ? 'approved' : request.state;
  return { invoiceId, createdAt, amount, currency, state, rejectReason };
}

export const PAYOUTS = {
  'payouts.balances': readBalances,
  'payouts.list': listPayouts,
  'payouts.request': requestPayout,
} as const satisfies Handlers;

export const PAYOUT_SEEDS = {
  payouts: (_world, { payouts }, set) => Object.assign(payouts, dropUndefined(set)),
  // As a person made it without the API: the balance falls as with any other.
  payout_request: (world, account, { amount = 50, ...seed }) =>
    putRequest(world, account, { amount, ...dropUndefined(seed) }),
} as const satisfies Seeders;
