import type { Client } from '../api/client.ts';
import { readWhole, type ItemOf } from '../api/pages.ts';
import { visible } from '../domain/visible.ts';
import type { PlatformAccount } from '../live/accounts.ts';
import { exactCents, formatCents, PAYOUT_CURRENCY } from './payout-amount.ts';

export type PayoutRequest = ItemOf<'payouts.list'>;

/** The members of an entry that tell what became of a payout request. */
export interface Told {
  readonly state?: string | null | undefined;
  readonly rejectReason?: string | null | undefined;
}

/**
 * What an entry of an answer or of the list says of its request. The document shows neither all states nor the reason of an
 * accepted request (PAYOUT-4). A placeholder, such as `none`, gives no reason.
 *
 * | state                  | no reason | a reason |
 * |------------------------|-----------|----------|
 * | `new`, `approved`      | accepted  | unclear  |
 * | a word for a rejection | rejected  | rejected |
 * | another, or none       | unclear   | rejected |
 */
export function readStanding({ state, rejectReason }: Told): 'accepted' | 'rejected' | 'unclear' {
  const word = (state ?? '').trim();
  const hasReason = !PLACEHOLDER.test((rejectReason ?? '').trim());
  if (REJECTING.test(word)) return 'rejected';
  if (ACCEPTED.test(word)) return hasReason ? 'unclear' : 'accepted';
  return hasReason ? 'rejected' : 'unclear';
}

/** Assumed: the words of a rejected request are not shown (PAYOUT-4). */
const REJECTING = /^(reject|declin|denied|cancel)/i;
const ACCEPTED = /^(new|approved)$/i;
const PLACEHOLDER = /^(none|null|nil|undefined|false|no|n\/?a|[-–—._0]*)$/i;

export function isRejected(told: Told): boolean {
  return readStanding(told) === 'rejected';
}

/** What identifies a request in the list and in the balance. The state keeps it. */
export interface Trace {
  readonly cents: number;
  /** The requests that were there before. */
  readonly baseline: readonly string[];
  readonly available_cents: number | null;
}

export interface Look {
  /** Requests that were not there before; a text says why the list cannot be read. */
  readonly fresh: readonly PayoutRequest[] | string;
  readonly availableCents: number | null;
}

/** What is known of one request. `others`: new requests of other amounts. */
export type Finding = Look &
  (
    | { readonly kind: 'made'; readonly request: PayoutRequest; readonly others: readonly PayoutRequest[] }
    | { readonly kind: 'rejected'; readonly request: PayoutRequest | null }
    | { readonly kind: 'unknown' }
  );

export const NOT_LOOKED: Finding = { kind: 'unknown', fresh: 'not read', availableCents: null };

/**
 * The one place that tells what became of a request. What is not clear from one new entry of the list is unknown, and a person
 * reads the facts.
 *
 * | answer   | new requests in the list                             | it is                        |
 * |----------|------------------------------------------------------|------------------------------|
 * | accepted | one of this amount, and the balance did not fall     | what its entry says          |
 * |          | twice, next to any of other amounts                  |                              |
 * | rejected | none of this amount that is not rejected             | rejected                     |
 * | lost     | one, of this amount                                  | what its entry says          |
 * | any      | else, or the list cannot be read                     | unknown; rejected stays that |
 */
export function judgeLook(trace: Trace, look: Look, answer: 'accepted' | 'rejected' | 'lost'): Finding {
  const list = typeof look.fresh === 'string' ? [] : look.fresh;
  const same = list.filter((request) => mayHaveAmount(request, trace.cents));
  const others = list.filter((request) => !same.includes(request));
  const paid = same.filter((request) => !isRejected(request));
  if (answer === 'rejected')
    return paid.length === 0
      ? { ...look, kind: 'rejected', request: same[0] ?? null }
      : { ...look, kind: 'unknown' };
  const candidates = answer === 'lost' ? list : paid.length > 0 ? paid : same;
  const [request, second] = candidates;
  const isOurs = request !== undefined && second === undefined && exactCents(request.amount) === trace.cents;
  if (!isOurs || !same.includes(request) || (answer === 'accepted' && hasFallenTwice(trace, look, others)))
    return { ...look, kind: 'unknown' };
  const standing = readStanding(request);
  if (standing === 'accepted') return { ...look, kind: 'made', request, others };
  return standing === 'rejected' ? { ...look, kind: 'rejected', request } : { ...look, kind: 'unknown' };
}

/** An amount that cannot be read may be any. */
export function mayHaveAmount({ amount, currency }: PayoutRequest, cents: number): boolean {
  const known = exactCents(amount);
  return known === null || (known === cents && (currency ?? PAYOUT_CURRENCY) === PAYOUT_CURRENCY);
}

/** Another request of the amount was made at the same time, and the list does not show it yet. */
function hasFallenTwice(
  { available_cents: before, cents }: Trace,
  { availableCents: now }: Look,
  others: readonly PayoutRequest[],
): boolean {
  const taken = others.reduce((sum, one) => sum + (isRejected(one) ? 0 : (exactCents(one.amount) ?? 0)), 0);
  return before !== null && now !== null && before - now - taken >= 2 * cents;
}

/** `inv-9101-0001 (100.10 USD, state "new", 2026-06-01T14:00:00+02:00)` */
export function describeInvoice({ invoiceId, amount, currency, createdAt, ...told }: PayoutRequest): string {
  const cents = exactCents(amount);
  const money = `${cents === null ? String(amount ?? 'unknown amount') : formatCents(cents)} ${currency ?? 'without a currency'}`;
  return visible(`${invoiceId} (${money}, ${describePayoutState(told)}, ${createdAt ?? 'no date'})`);
}

/** `state "new", rejection reason "none"` */
export function describePayoutState({ state, rejectReason }: Told): string {
  const reason = (rejectReason ?? '').trim();
  return `${state == null ? 'no state' : `state "${state}"`}${reason === '' ? '' : `, rejection reason "${reason}"`}`;
}

/** All of the account, newest first. No marker is given: that of an earlier reading would hide what is new (PAYOUT-5). */
export function readPayoutRequests(
  client: Client,
  account: PlatformAccount,
): Promise<readonly PayoutRequest[]> {
  return readWhole(client, 'payouts.list', { params: namePlace(account) });
}

export function namePlace({ platform, platformAccountId }: PlatformAccount) {
  return { platform, platform_account_id: platformAccountId };
}
