import { invalid, Refusal } from './answers.ts';
import { listPage } from './paging.ts';
import { BY_CONTROL, dropUndefined } from './records.ts';
import type { Call } from './requests.ts';
import type { SeedOf } from './seed-shape.ts';
import { payoutRequestShape, type AccountState, type PayoutRequest, type Payouts } from './state.ts';
import { requirePlatformAccount, toCents, type World } from './world.ts';

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

function requireAccount(world: World, path: Call<'payouts.balances'>['params']): AccountState {
  const account = requirePlatformAccount(world, path);
  advancePayouts(world, account);
  return account;
}

/** The amount that can be withdrawn never exceeds the available balance (PAYOUT-3). */
export function readBalances(world: World, { params }: Call<'payouts.balances'>): object {
  const { payouts } = requireAccount(world, params);
  return {
    payoutAvailable: toMajor(payouts.availableCents),
    payoutPending: toMajor(payouts.pendingCents),
    currency: payouts.currency,
    minPayoutSumm: toMajor(payouts.minimumCents),
    maxPayoutSumm: toMajor(Math.min(payouts.maximumCents, payouts.availableCents)),
    withdrawalPeriodOptions: PERIODS,
    manualPayoutPendingDays: payouts.pendingDays,
    withdrawalPeriod: payouts.period,
  };
}

/**
 * Newest first. A marker excludes later requests; without one the list is live. The first marker is 0, to find
 * clients that take 0 for missing. The same snapshot has the same marker, so repeated reads add nothing.
 */
export function listPayouts(world: World, call: Call<'payouts.list'>): object {
  const { requests, markers } = requireAccount(world, call.params).payouts;
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
export function requestPayout(world: World, { params, body, cause }: Call<'payouts.request'>): object {
  const { modes } = world;
  if (!modes.payoutsEnabled) throw new Refusal(403, 'Payouts are not available');
  const account = requireAccount(world, params);
  const cents = toCents(body.withdrawal_amount);
  const { availableCents, minimumCents, maximumCents, currency } = account.payouts;
  const refuse = (message: string) => invalid(modes, message, 'withdrawal_amount');
  if (currency !== 'USD') throw refuse(`payouts of this account are in ${currency}`);
  if (cents > availableCents) throw refuse('exceeds the available balance');
  if (availableCents < minimumCents) throw refuse('the available balance is below the minimum');
  if (cents > maximumCents) throw refuse('exceeds the maximum');
  const refused = modes.payoutRejectReason;
  const rejected = refused === null ? {} : { state: 'rejected', rejectReason: refused };
  const { state, rejectReason } = putRequest(world, account, { cents, cause, ...rejected });
  return { list: [{ state, rejectReason }] };
}

/** Stores a request. Unless it is rejected, its amount is permanently taken from the available balance. */
function putRequest(
  { nowMs }: World,
  { payouts, live }: AccountState,
  parts: Partial<PayoutRequest> & Pick<PayoutRequest, 'cents' | 'cause'>,
): PayoutRequest {
  const request = payoutRequestShape.parse({
    invoiceId: `inv-${live.platform_account_id}-${String(payouts.requests.length + 1).padStart(4, '0')}`,
    createdMs: nowMs,
    currency: payouts.currency,
    ...parts,
  });
  if (request.state === 'new') request.approvedMs = request.createdMs + payouts.pendingDays * DAY_MS;
  if (request.state !== 'rejected') payouts.availableCents -= request.cents;
  payouts.requests.push(request);
  return request;
}

/** Adds a payout request that a person made without the API. The balance falls as with any other. */
export function seedPayoutRequest(
  world: World,
  account: AccountState,
  seed: SeedOf<'payout_request'>,
): PayoutRequest {
  const { amount = 50, currency, state, reject_reason, created_at, invoice_id } = seed;
  advancePayouts(world, account);
  const given = {
    currency,
    state,
    rejectReason: reject_reason,
    createdMs: created_at === undefined ? undefined : Date.parse(created_at),
    invoiceId: invoice_id,
  };
  return putRequest(world, account, { cents: toCents(amount), cause: BY_CONTROL, ...dropUndefined(given) });
}

const OFFSET_HOURS = 2;

/** Times are ISO 8601 with an offset (READ-7). Assumed: the offset is not that of UTC. */
function readRequest({ invoiceId, createdMs, cents, currency, state, rejectReason }: PayoutRequest): object {
  const local = new Date(createdMs + OFFSET_HOURS * 3_600_000).toISOString().slice(0, 19);
  const createdAt = `${local}+0${OFFSET_HOURS}:00`;
  return { invoiceId, createdAt, amount: toMajor(cents), currency, state, rejectReason };
}

function toMajor(cents: number): number {
  return cents / 100;
}
