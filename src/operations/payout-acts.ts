import * as z from 'zod';
import { actsOf, type Act } from '../ledger/acts.ts';
import type { NewAct } from '../ledger/ledger.ts';
import type { LedgerLine } from '../ledger/lines.ts';
import type { KeepEntry } from '../ledger/reduction.ts';
import type { PlatformAccount } from '../live/targets.ts';
import { lowerCents, type PayoutAmount } from '../domain/payout-amount.ts';
import { type PayoutBalances } from './payout-checks.ts';
import { SIMILAR_PAYOUT_MS } from '../domain/repeats.ts';
import type { PayoutRequest } from './payout-list.ts';
import { isRejected } from '../domain/payout-standing.ts';
import { leastAgeMs, type EarliestTimes } from './service-time.ts';
import type { PlatformAccountId } from '../domain/ids.ts';

export const REQUEST_PAYOUT = 'payouts.request';

/** The facts that identify a lost payout request: its amount, and the invoices before it. */
export interface PayoutTrace {
  readonly cents: number;
  /** With two decimals. */
  readonly amount: string;
  readonly baseline: readonly string[];
  /** The amount available right before, in cents. */
  readonly availableCents: number | null;
}

const detailsShape = z.looseObject({
  platform_account_id: z.string(),
  cents: z.int(),
  amount: z.string(),
  baseline: z.array(z.string()),
  available_cents: z.int().nullable(),
});

/** The intent of a payout request, as the ledger keeps it. */
export function payoutAct(
  account: PlatformAccount,
  amount: PayoutAmount,
  balances: PayoutBalances,
  requests: readonly PayoutRequest[],
): NewAct & { readonly operation: typeof REQUEST_PAYOUT } {
  return {
    operation: REQUEST_PAYOUT,
    account: account.alias,
    account_id: account.accountId ?? account.platformAccountId,
    subject: `${amount.text} USD`,
    details: payoutDetails({
      platformAccountId: account.platformAccountId,
      cents: amount.cents,
      amount: amount.text,
      availableCents: lowerCents(balances.payoutAvailable),
      baseline: requests.map(({ invoiceId }) => invoiceId),
    }),
  };
}

/** What the ledger keeps of a payout request, so that the next run finds it again. */
export function payoutDetails({
  platformAccountId,
  cents,
  amount,
  availableCents,
  baseline,
}: PayoutTrace & { readonly platformAccountId: PlatformAccountId }): z.output<typeof detailsShape> {
  return {
    platform_account_id: platformAccountId,
    cents,
    amount,
    available_cents: availableCents,
    baseline: [...baseline],
  };
}

/** A payout request of an earlier run. `trace` is null where its line is damaged. */
export interface EarlierPayout {
  readonly act: Act;
  readonly trace: PayoutTrace | null;
}

/** The payouts of one account in the ledger. */
export interface KnownPayouts {
  /** Oldest first. */
  readonly open: readonly EarlierPayout[];
  /** Those that were made, and unconfirmed ones that a person acknowledged: they may have been made. */
  readonly counted: readonly EarlierPayout[];
  /** Invoices of resolved requests. They belong to no other request. */
  readonly taken: readonly string[];
}

/** Tells payout requests by the lines that begin them. */
export const isPayout: KeepEntry = (begin) => begin.type === 'act' && begin.operation === REQUEST_PAYOUT;

/** The names of an account in the ledger. */
type NamedAccount = Pick<PlatformAccount, 'alias' | 'accountId' | 'platformAccountId'>;

export function knownPayouts(lines: readonly LedgerLine[], account: NamedAccount): KnownPayouts {
  const payouts = actsOf(lines)
    .filter((act) => act.operation === REQUEST_PAYOUT && isOf(act, account))
    .map((act) => ({ act, trace: traceOf(act) }));
  return {
    open: payouts.filter(({ act }) => act.outcome === 'unknown' && !act.acknowledged),
    counted: payouts.filter(
      ({ act: { outcome, acknowledged } }) =>
        outcome === 'done' || outcome === 'adopted' || (outcome === 'unknown' && acknowledged),
    ),
    taken: payouts.flatMap(({ act }) => (act.liveId === null ? [] : [act.liveId])),
  };
}

/** An account may be called by another alias next time; the platform's id stays. */
function isOf({ details, accountId, account: alias }: Act, account: NamedAccount): boolean {
  const id = details['platform_account_id'];
  if (typeof id === 'string') return id === account.platformAccountId;
  return alias === account.alias || accountId === (account.accountId ?? account.platformAccountId);
}

function traceOf({ details }: Act): PayoutTrace | null {
  const parsed = detailsShape.safeParse(details);
  if (!parsed.success) return null;
  const { cents, amount, baseline, available_cents: availableCents } = parsed.data;
  return { cents, amount, baseline, availableCents };
}

/** A request on record that may be the same as the new one. `listed`: its entry in the list, if that shows it. */
export interface SimilarOnRecord {
  readonly act: Act;
  readonly listed: PayoutRequest | null;
}

/**
 * Requests of the same amount on record, of the last 24 hours by their record: a list may lag, and its date may be
 * earlier. One that the list shows as rejected does not count.
 */
export function similarOnRecord(
  amount: Pick<PayoutAmount, 'cents'>,
  counted: readonly EarlierPayout[],
  requests: readonly PayoutRequest[],
  times: EarliestTimes,
): readonly SimilarOnRecord[] {
  return counted
    .filter(({ trace }) => trace === null || trace.cents === amount.cents)
    .map(({ act }) => ({
      act,
      listed: requests.find(({ invoiceId }) => invoiceId === act.liveId) ?? null,
    }))
    .filter(({ act, listed }) => {
      if (listed !== null && isRejected(listed)) return false;
      return leastAgeMs(act, times) < SIMILAR_PAYOUT_MS;
    });
}
