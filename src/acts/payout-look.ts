import { IncompleteScanError, ServiceError } from '../api/errors.ts';
import { readPages, type ItemOf } from '../api/pages.ts';
import type { Run } from '../engine/run.ts';
import type { PlatformAccount } from '../live/accounts.ts';
import type { RequestRow } from '../state/shapes.ts';
import { parseAsked } from './record.ts';

export type PayoutRequest = ItemOf<'payouts.list'>;

/** What is known of one request. Those of `known` are the result of a command; the others leave it unconfirmed. */
export type PayoutFinding =
  /** `request` is null where the list does not name it yet. `others`: new requests of other amounts. */
  | {
      readonly kind: 'made';
      readonly request: PayoutRequest | null;
      readonly others: readonly PayoutRequest[];
    }
  | { readonly kind: 'rejected'; readonly request: PayoutRequest | null; readonly reason: string }
  /** It exists, but for the reason `why` it may not be a success. */
  | { readonly kind: 'unclear'; readonly request: PayoutRequest; readonly why: string }
  /** Another one was requested at the same time. `requests` are those of this amount in the list. */
  | { readonly kind: 'two'; readonly requests: readonly PayoutRequest[] }
  /** Accepted, and neither the list nor the balance shows that it is the only one of this amount. */
  | { readonly kind: 'unchecked' }
  | { readonly kind: 'not_seen' }
  /** New requests that are not certainly this one, or an entry that contradicts itself. */
  | { readonly kind: 'ambiguous'; readonly requests: readonly PayoutRequest[] }
  | { readonly kind: 'unread'; readonly why: string };

/** The members of an entry that tell what became of a payout request. */
interface Told {
  readonly state?: string | null | undefined;
  readonly rejectReason?: string | null | undefined;
}

/**
 * What an entry of an answer or of the list says of its request. The document shows neither all states nor the reason
 * of an accepted request (PAYOUT-4), so an entry with an accepted state and a reason says nothing certain.
 *
 * | state                 | no reason | a placeholder, such as `none` | another reason |
 * |-----------------------|-----------|-------------------------------|----------------|
 * | `new`, `approved`     | accepted  | contradictory                 | contradictory  |
 * | a word for a rejection| rejected  | rejected                      | rejected       |
 * | another, or none      | unclear   | unclear                       | rejected       |
 */
export function describeStanding({
  state,
  rejectReason,
}: Told): 'accepted' | 'rejected' | 'contradictory' | 'unclear' {
  const [word, reason] = [(state ?? '').trim(), (rejectReason ?? '').trim()];
  if (REJECTING.test(word)) return 'rejected';
  if (ACCEPTED.test(word) && reason !== '') return 'contradictory';
  if (state === 'new' || state === 'approved') return 'accepted';
  return PLACEHOLDER.test(reason) ? 'unclear' : 'rejected';
}

/** Assumed: the words of a rejected request are not shown (PAYOUT-4). */
const REJECTING = /^(reject|declin|denied|cancel)/i;
const ACCEPTED = /^(new|approved)$/i;
/** Text in the place of a reason. It does not give one. */
const PLACEHOLDER = /^(none|null|nil|undefined|false|no|n\/?a|[-–—._0]*)$/i;

export function isRejected(told: Told): boolean {
  return describeStanding(told) === 'rejected';
}

/** Why one was rejected, as far as the service says. */
export function rejectionReason({ state, rejectReason }: Told): string {
  return (rejectReason ?? '').trim() || `state "${state ?? ''}", no reason given`;
}

/** `the state "new" and the rejection reason "none"` */
export function describePayoutState(told: Told): string {
  const state = told.state == null ? 'no state' : `the state "${told.state}"`;
  const reason = (told.rejectReason ?? '').trim();
  return reason === '' ? state : `${state} and the rejection reason "${reason}"`;
}

/** What identifies a request in the list and in the balance. The state keeps it. */
export interface Trace {
  readonly cents: number;
  readonly baseline: readonly string[];
  readonly available_cents: number | null;
}

/** Null where the record cannot be read. */
export function parseTrace(row: Pick<RequestRow, 'asked'>): Trace | null {
  const { cents, baseline, available_cents: available } = parseAsked(row);
  if (typeof cents !== 'number' || !Array.isArray(baseline)) return null;
  return {
    cents,
    baseline: baseline.map(String),
    available_cents: typeof available === 'number' ? available : null,
  };
}

/** The list and the balance now. */
export interface PayoutLook {
  /** Requests that were not there before; a text says why the list cannot be read. */
  readonly fresh: readonly PayoutRequest[] | string;
  readonly availableCents: number | null;
}

export async function readLook(run: Run, account: PlatformAccount, { baseline }: Trace): Promise<PayoutLook> {
  const listed = await readPayoutRequests(run, account).catch((error: unknown) => {
    if (error instanceof ServiceError || error instanceof IncompleteScanError) return error.message;
    throw error;
  });
  const fresh =
    typeof listed === 'string' ? listed : listed.filter(({ invoiceId }) => !baseline.includes(invoiceId));
  const balances = await run.client.call('payouts.balances', { params: namePlace(account) });
  return {
    fresh,
    availableCents: balances.kind === 'done' ? lowerCents(balances.reply.payoutAvailable) : null,
  };
}

/** What the service answered; `lost`: nothing, or something that does not tell. */
interface Heard {
  readonly kind: 'accepted' | 'rejected' | 'lost';
  readonly reason: string | null;
}

/**
 * The one place that tells what became of a request. "Fell": the balance, beyond what new requests of other amounts took.
 *
 * | answer   | new requests of this amount | fell by             | it is                                       |
 * |----------|-----------------------------|---------------------|---------------------------------------------|
 * | accepted | two or more                 |                     | two                                         |
 * | accepted | one or none                 | twice it or more    | two                                         |
 * | accepted | one                         | less, or not known  | that one                                    |
 * | accepted | none, or the list is unread | exactly it          | made                                        |
 * | accepted | none, or the list is unread | else                | unchecked                                   |
 * | rejected | one, and no other new one   |                     | unclear: the answer and the list contradict |
 * | rejected | else                        |                     | rejected                                    |
 * | lost     | one, and no other new one   |                     | that one                                    |
 * | lost     | none, and no other new one  |                     | not seen                                    |
 * | lost     | else                        |                     | ambiguous; unread without a list            |
 *
 * That one is what its entry says. An accepted state next to a reason for a rejection says nothing certain (PAYOUT-4): then
 * it is made if the balance fell by exactly its amount.
 */
export function judgeLook(
  trace: Trace,
  { fresh, availableCents }: PayoutLook,
  { kind, reason }: Heard,
): PayoutFinding {
  const list = typeof fresh === 'string' ? [] : fresh;
  const same = list.filter(({ amount, currency }) => {
    const cents = exactCents(amount);
    return cents === null || (cents === trace.cents && (currency ?? PAYOUT_CURRENCY) === PAYOUT_CURRENCY);
  });
  const others = list.filter((request) => !same.includes(request));
  const taken = others.reduce((sum, one) => sum + (isRejected(one) ? 0 : (exactCents(one.amount) ?? 0)), 0);
  const fell =
    trace.available_cents === null || availableCents === null
      ? null
      : trace.available_cents - availableCents - taken;
  const [first] = same;
  const only = list.length === 1 && first !== undefined && exactCents(first.amount) !== null ? first : null;
  if (kind === 'rejected')
    return only === null || isRejected(only)
      ? { kind: 'rejected', request: only, reason: reason ?? '' }
      : doubt({ kind: 'made', request: only, others: [] }, reason ?? '');
  if (kind === 'lost') {
    if (typeof fresh === 'string') return { kind: 'unread', why: fresh };
    if (fresh.length === 0) return { kind: 'not_seen' };
    return only === null
      ? { kind: 'ambiguous', requests: fresh }
      : judgeEntry(only, others, fell === trace.cents, kind);
  }
  const counted = same.filter((request) => !isRejected(request));
  const isTwice = typeof fresh !== 'string' && fell !== null && fell >= 2 * trace.cents;
  if (counted.length > 1 || isTwice) return { kind: 'two', requests: counted };
  const one = counted[0] ?? first;
  if (one !== undefined && exactCents(one.amount) !== null)
    return judgeEntry(one, others, fell === trace.cents, kind);
  return fell === trace.cents ? { kind: 'made', request: null, others } : { kind: 'unchecked' };
}

function judgeEntry(
  request: PayoutRequest,
  others: readonly PayoutRequest[],
  hasFallen: boolean,
  heard: Heard['kind'],
): PayoutFinding {
  const standing = describeStanding(request);
  if (standing === 'rejected') return { kind: 'rejected', request, reason: rejectionReason(request) };
  if (standing === 'accepted' || (standing === 'contradictory' && hasFallen))
    return { kind: 'made', request, others };
  if (standing === 'unclear')
    return { kind: 'unclear', request, why: 'its state is not one that this version knows' };
  return heard === 'lost'
    ? { kind: 'ambiguous', requests: [request] }
    : { kind: 'unclear', request, why: `its entry in the list has ${describePayoutState(request)}` };
}

/** Money is at risk: if the answer and the list contradict each other, neither is trusted. */
export function doubt(finding: PayoutFinding, reason: string): PayoutFinding {
  if ((finding.kind !== 'made' && finding.kind !== 'unclear') || finding.request === null) return finding;
  const list = finding.kind === 'unclear' ? finding.why : 'the list does not';
  return {
    kind: 'unclear',
    request: finding.request,
    why: `its answer rejected it (${reason}), and ${list}`,
  };
}

/** How often a list that changes during reading is read again. */
const READINGS_MAX = 3;

/**
 * Every payout request of the account, newest first as it came. The scan begins without a marker: one of an earlier
 * scan would hide what is new (PAYOUT-5). Throws `IncompleteScanError` rather than give a part.
 */
export async function readPayoutRequests(
  { client }: Pick<Run, 'client'>,
  account: PlatformAccount,
): Promise<readonly PayoutRequest[]> {
  let moved = '';
  for (let reading = 1; reading <= READINGS_MAX; reading += 1) {
    moved = '';
    const onWarning = (sentence: string) => (moved = sentence);
    const found: PayoutRequest[] = [];
    const pages = readPages(client, 'payouts.list', { params: namePlace(account) }, { onWarning });
    for await (const page of pages) found.push(...page);
    if (moved === '') return found;
  }
  throw new IncompleteScanError(moved);
}

export function namePlace({ platform, platformAccountId }: PlatformAccount) {
  return { platform, platform_account_id: platformAccountId };
}

/** The only currency that a payout can be asked for in (PAYOUT-2). */
export const PAYOUT_CURRENCY = 'USD';

/** The most that one payout may ask for, in US cents (PAYOUT-2). */
const MAXIMUM_CENTS = 100_000_000;
/** More digits than this are beyond every bound, and beyond exact numbers. */
const DIGITS_MAX = 12;
const DECIMALS_MAX = 2;

/** An amount of US dollars in whole cents, so that it is compared exactly. */
export interface PayoutAmount {
  readonly cents: number;
  /** With two decimals: `100.10`. */
  readonly text: string;
  /** As the request carries it. */
  readonly usd: number;
}

/**
 * Reads an amount as it was typed. It is decided on its decimal text, because a number has lost the difference
 * between 0.3 and 0.30000000000000004. A string says what is wrong with it.
 */
export function parsePayoutAmount(typed: string): PayoutAmount | string {
  const text = typed.trim();
  if (text === '') return 'The amount is empty.';
  if (/^[+-]/.test(text)) return `The amount "${text}" has a sign; write it without one, above 0.`;
  if (/^[\d.]+e[+-]?\d+$/i.test(text))
    return `The amount "${text}" has an exponent; write all of its digits.`;
  const [, whole, fraction = ''] = /^(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined)
    return `Cannot read the amount "${text}". Write it as 100.10, without a currency and without separators for thousands.`;
  if (fraction.length > DECIMALS_MAX)
    return `The amount "${text}" has ${fraction.length} decimals; a payout has at most ${DECIMALS_MAX}.`;
  const cents =
    whole.length > DIGITS_MAX ? Infinity : Number(whole) * 100 + Number(fraction.padEnd(DECIMALS_MAX, '0'));
  if (cents > MAXIMUM_CENTS)
    return `The amount "${text}" is above ${formatCents(MAXIMUM_CENTS)} USD, the most that one payout may ask for.`;
  if (cents <= 0) return `The amount "${text}" is not above 0.`;
  return { cents, text: formatCents(cents), usd: cents / 100 };
}

/** Whole cents with two decimals. */
export function formatCents(cents: number): string {
  const size = Math.abs(cents);
  return `${cents < 0 ? '-' : ''}${Math.floor(size / 100)}.${String(size % 100).padStart(2, '0')}`;
}

/** A number of the service in cents; null if it is not an amount of whole cents. */
export function exactCents(amount: number | null | undefined): number | null {
  if (amount == null || !Number.isFinite(amount)) return null;
  const cents = Math.round(amount * 100);
  return Math.abs(amount * 100 - cents) < CENT_NOISE ? cents : null;
}

/** The error of binary numbers is far smaller than this. */
const CENT_NOISE = 1e-4;

/**
 * The amount that can be withdrawn, in whole cents, never more than the balance. It is below 0 if the account owes
 * money. Null if it is missing.
 */
export function lowerCents(amount: number | null | undefined): number | null {
  if (amount == null || !Number.isFinite(amount)) return null;
  return Math.floor(amount * 100 + CENT_NOISE);
}

export function upperCents(amount: number | null | undefined): number | null {
  if (amount == null || !Number.isFinite(amount) || amount < 0) return null;
  return Math.ceil(amount * 100 - CENT_NOISE);
}
