import { invalid, Refusal } from './answers.ts';
import { listLagMs, listPage } from './paging.ts';
import { BY_CONTROL, dropUndefined, isoTime } from './records.ts';
import type { Call } from './requests.ts';
import type { SeedOf } from './seed-shape.ts';
import type { AccountState, PayoutRequest, Payouts } from './state.ts';
import { requirePlatformAccount, type World } from './world.ts';

/** Assumed: the codes and names of the periods (PAYOUT-8). */
const PERIODS = [
  { code: 'manual', name: 'Manual' },
  { code: 'weekly', name: 'Weekly' },
  { code: 'monthly', name: 'Monthly' },
];

const DAY_MS = 86_400_000;
/** Assumed: the time until earnings are available (PAYOUT-8). */
const EARNINGS_MATURE_MS = 7 * DAY_MS;

/**
 * Advances the payouts of an account to now: earnings become available, requests are approved. Call it before each
 * use.
 */
export function advancePayouts({ nowMs }: World, { payouts }: AccountState): Payouts {
  if (payouts.pending > 0) payouts.pending_matures_at ??= isoTime(nowMs + EARNINGS_MATURE_MS);
  if (payouts.pending_matures_at !== null && Date.parse(payouts.pending_matures_at) <= nowMs) {
    payouts.available = roundToCents(payouts.available + payouts.pending);
    payouts.pending = 0;
    payouts.pending_matures_at = null;
  }
  for (const request of payouts.requests) {
    if (request.approved_at === null || Date.parse(request.approved_at) > nowMs) continue;
    request.state = 'approved';
    request.approved_at = null;
  }
  return payouts;
}

/** A sum of amounts without the noise behind its cents. */
function roundToCents(amount: number): number {
  return Math.round(amount * 100) / 100;
}

/** Changes payout data of an account. The time of pending earnings starts again. */
export function setPayouts({ payouts }: AccountState, set: SeedOf<'payouts'>): Payouts {
  const matures = set.pending === undefined ? {} : { pending_matures_at: null };
  return Object.assign(payouts, matures, dropUndefined(set));
}

function requireAccount(world: World, path: Call<'payouts.balances'>['params']): AccountState {
  const account = requirePlatformAccount(world, path);
  advancePayouts(world, account);
  return account;
}

/** The amount that can be withdrawn never exceeds the available balance (PAYOUT-3). */
export function readBalances(world: World, { params }: Call<'payouts.balances'>): object {
  const { payouts } = requireAccount(world, params);
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
export function listPayouts(world: World, call: Call<'payouts.list'>): object {
  const { requests: all, markers } = requireAccount(world, call.params).payouts;
  const requests = all.filter(({ listedFromMs = 0 }) => listedFromMs <= world.nowMs);
  const { marker: asked } = call.query;
  if (asked === undefined && !markers.includes(requests.length)) markers.push(requests.length);
  const marker = asked === undefined ? markers.indexOf(requests.length) : Number(asked);
  const count = asked === undefined ? requests.length : markers[marker];
  if (count === undefined) throw invalid(world.modes, 'unknown marker', 'marker');
  return {
    ...listPage(call, requests.slice(0, count).toReversed(), readRequest),
    marker: world.modes.payoutMarker === 'null' ? null : marker,
  };
}

/** Irreversible (PAYOUT-1). The answer contains no invoice id. Assumed: a 400 for each refusal (PAYOUT-2). */
export function requestPayout(
  world: World,
  { params, body, cause, effects }: Call<'payouts.request'>,
): object {
  const { modes } = world;
  if (!modes.payoutsEnabled) throw new Refusal(403, 'Payouts are not available');
  const account = requireAccount(world, params);
  const amount = body.withdrawal_amount;
  const { available, minimum, maximum, currency } = account.payouts;
  const refuse = (message: string) => invalid(modes, message, 'withdrawal_amount');
  if (currency !== 'USD') throw refuse(`payouts of this account are in ${currency}`);
  if (amount > available) throw refuse('exceeds the available balance');
  if (available < minimum) throw refuse('the available balance is below the minimum');
  if (amount > maximum) throw refuse('exceeds the maximum');
  const refused = modes.payoutRejectReason;
  const rejected = refused === null ? {} : { state: 'rejected', reject_reason: refused };
  const { state, reject_reason } = putRequest(world, account, {
    amount,
    cause,
    listedFromMs: world.nowMs + listLagMs(world, effects),
    ...rejected,
  });
  return { list: [{ state, rejectReason: reject_reason }] };
}

/** Stores a request. Unless it is rejected, its amount is permanently taken from the available balance. */
function putRequest(
  { nowMs }: World,
  { payouts, live }: AccountState,
  parts: Partial<PayoutRequest> & Pick<PayoutRequest, 'amount' | 'cause'>,
): PayoutRequest {
  const request: PayoutRequest = {
    invoice_id: `inv-${live.platform_account_id}-${String(payouts.requests.length + 1).padStart(4, '0')}`,
    created_at: isoTime(nowMs),
    currency: payouts.currency,
    state: 'new',
    reject_reason: '',
    approved_at: null,
    ...parts,
  };
  if (request.state === 'new')
    request.approved_at = isoTime(Date.parse(request.created_at) + payouts.pending_days * DAY_MS);
  if (request.state !== 'rejected') payouts.available = roundToCents(payouts.available - request.amount);
  payouts.requests.push(request);
  return request;
}

/** Adds a payout request that a person made without the API. The balance falls as with any other. */
export function seedPayoutRequest(
  world: World,
  account: AccountState,
  { amount = 50, ...seed }: SeedOf<'payout_request'>,
): PayoutRequest {
  advancePayouts(world, account);
  return putRequest(world, account, { amount, cause: BY_CONTROL, ...dropUndefined(seed) });
}

const OFFSET_HOURS = 2;

/** Times are ISO 8601 with an offset (READ-7). Assumed: the offset is not that of UTC. */
function readRequest({
  invoice_id,
  created_at,
  amount,
  currency,
  state,
  reject_reason,
}: PayoutRequest): object {
  const local = isoTime(Date.parse(created_at) + OFFSET_HOURS * 3_600_000).slice(0, 19);
  const createdAt = `${local}+0${OFFSET_HOURS}:00`;
  return { invoiceId: invoice_id, createdAt, amount, currency, state, rejectReason: reject_reason };
}
