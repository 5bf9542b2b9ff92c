import { platformAccountOf } from '../access.ts';
import type { Call } from '../call.ts';
import { pageOf } from '../paging.ts';
import { invalid, Refusal } from '../refusal.ts';
import type { World } from '../world.ts';
import { putRequest, advancePayouts } from './lifecycle.ts';
import { toCents, type PayoutRequest, type Payouts } from './state.ts';

/** The default page size (READ-9). */
const LIMIT_DEFAULT = 10;

/** Assumed: the codes and names of the periods (PAYOUT-8). */
const PERIODS = [
  { code: 'manual', name: 'Manual' },
  { code: 'weekly', name: 'Weekly' },
  { code: 'monthly', name: 'Monthly' },
];

/** The amount that can be withdrawn never exceeds the available balance (PAYOUT-3). */
export function readBalances(world: World, { params }: Call<'payouts.balances'>): object {
  const payouts = advancePayouts(world, platformAccountOf(world, params));
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
 * clients that take 0 for missing.
 */
export function listPayoutRequests(world: World, { params, query, effects }: Call<'payouts.list'>): object {
  const payouts = advancePayouts(world, platformAccountOf(world, params));
  const marker = query.marker === undefined ? newMarker(payouts) : query.marker;
  const count = query.marker === undefined ? payouts.requests.length : payouts.markers[Number(marker)];
  if (count === undefined) throw invalid(world.modes, 'unknown marker', 'marker');
  const shown = payouts.requests.slice(0, count).toReversed();
  const page = pageOf(shown, { limit: query.limit ?? LIMIT_DEFAULT, offset: query.offset }, effects);
  return {
    list: page.items.map(readRequest),
    marker: world.modes.payoutMarker === 'null' ? null : Number(marker),
  };
}

/** The same snapshot has the same marker, so repeated reads add nothing. */
function newMarker({ markers, requests }: Payouts): number {
  const known = markers.indexOf(requests.length);
  return known === -1 ? markers.push(requests.length) - 1 : known;
}

/** Irreversible (PAYOUT-1). The answer contains no invoice id. */
export function requestPayout(world: World, { params, body, cause }: Call<'payouts.request'>): object {
  const { modes } = world;
  if (!modes.payoutsEnabled) throw new Refusal(403, 'Payouts are not available');
  const account = platformAccountOf(world, params);
  const cents = toCents(body.withdrawal_amount);
  requirePayable(world, advancePayouts(world, account), cents);
  const refused = modes.payoutRejectReason;
  const rejected = refused === null ? {} : { state: 'rejected', rejectReason: refused };
  const { state, rejectReason } = putRequest(world, account, { cents, cause, ...rejected });
  return { list: [{ state, rejectReason }] };
}

/** Assumed: a 400 for each of these (PAYOUT-2). */
function requirePayable(
  { modes }: World,
  { availableCents, minimumCents, maximumCents, currency }: Payouts,
  cents: number,
): void {
  const refuse = (message: string) => invalid(modes, message, 'withdrawal_amount');
  if (currency !== 'USD') throw refuse(`payouts of this account are in ${currency}`);
  if (cents > availableCents) throw refuse('exceeds the available balance');
  if (availableCents < minimumCents) throw refuse('the available balance is below the minimum');
  if (cents > maximumCents) throw refuse('exceeds the maximum');
}

function readRequest({ invoiceId, createdMs, cents, currency, state, rejectReason }: PayoutRequest): object {
  return {
    invoiceId,
    createdAt: withOffset(createdMs),
    amount: toMajor(cents),
    currency,
    state,
    rejectReason,
  };
}

const OFFSET_HOURS = 2;

/** ISO 8601 with an offset (READ-7). Assumed: the offset is not that of UTC. */
function withOffset(ms: number): string {
  const local = new Date(ms + OFFSET_HOURS * 3_600_000).toISOString();
  return `${local.slice(0, 19)}+0${OFFSET_HOURS}:00`;
}

function toMajor(cents: number): number {
  return cents / 100;
}
