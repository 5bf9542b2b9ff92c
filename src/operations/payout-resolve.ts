import type { Client } from '../api/client.ts';
import { ServiceError } from '../api/errors.ts';
import { IncompleteScanError } from '../api/pages/incomplete.ts';
import type { PlatformAccount } from '../live/targets.ts';
import { waitOut, type WaitPorts } from '../requests/settle-window.ts';
import { hasFallenBy } from './payout-accepted.ts';
import type { PayoutTrace } from './payout-acts.ts';
import { exactCents, PAYOUT_CURRENCY } from '../domain/payout-amount.ts';
import { readPayoutRequests, type PayoutRequest } from './payout-list.ts';
import { isContradictory } from '../domain/payout-standing.ts';

/** The list's verdict on a request with a lost answer. */
export type PayoutVerdict =
  | {
      readonly kind: 'made';
      readonly request: PayoutRequest;
      /** Its entry contradicts itself, and the balance fell by exactly its amount. */
      readonly byBalance: boolean;
    }
  | { readonly kind: 'not_seen' }
  /** It is there, and its entry has an accepted state and a reason for a rejection. */
  | { readonly kind: 'contradictory'; readonly request: PayoutRequest }
  /** New requests that are not certainly this one. */
  | { readonly kind: 'ambiguous'; readonly requests: readonly PayoutRequest[] }
  /** The list could not be read, or no time was left for it: nothing is known. */
  | { readonly kind: 'unread'; readonly why: string };

/**
 * | new invoices, except those of other requests             | verdict       |
 * |----------------------------------------------------------|---------------|
 * | none                                                     | not seen      |
 * | exactly one, of the same amount                          | made          |
 * | the same, with an accepted state and a reason (PAYOUT-4) | contradictory |
 * | one of another amount, or several                        | ambiguous     |
 */
export function judgePayout(
  { cents, baseline }: Pick<PayoutTrace, 'cents' | 'baseline'>,
  requests: readonly PayoutRequest[],
  taken: readonly string[] = [],
): PayoutVerdict {
  const known = new Set([...baseline, ...taken]);
  const fresh = requests.filter(({ invoiceId }) => !known.has(invoiceId));
  const [only, ...others] = fresh;
  if (only === undefined) return { kind: 'not_seen' };
  const fits = exactCents(only.amount) === cents && (only.currency ?? PAYOUT_CURRENCY) === PAYOUT_CURRENCY;
  if (!fits || others.length > 0) return { kind: 'ambiguous', requests: fresh };
  return isContradictory(only)
    ? { kind: 'contradictory', request: only }
    : { kind: 'made', request: only, byBalance: false };
}

/** New requests in the list that may be this one. */
export function newRequestsIn(verdict: PayoutVerdict): readonly PayoutRequest[] {
  if (verdict.kind === 'made' || verdict.kind === 'contradictory') return [verdict.request];
  return verdict.kind === 'ambiguous' ? verdict.requests : [];
}

export interface ResolvePorts extends WaitPorts {
  readonly client: Client;
}

/**
 * Waits for the end of the window and reads the list. Before that, absence means nothing, and a new request of the same
 * amount may be another person's while this one is still on its way: then there are two. `ageMs` is how old the request
 * is now. Where the entry contradicts itself, a balance that fell by exactly the amount proves that it was made. Never
 * throws for what the service does.
 */
export async function resolvePayout(
  ports: ResolvePorts,
  account: PlatformAccount,
  trace: PayoutTrace,
  ageMs: number,
  taken: readonly string[] = [],
): Promise<PayoutVerdict> {
  const isOver = ageMs >= ports.settleMs || (await waitOut(ports, ageMs));
  if (!isOver) return { kind: 'unread', why: 'interrupted before a late request could be ruled out' };
  return look(ports.client, account, trace, taken);
}

async function look(
  client: Client,
  account: PlatformAccount,
  trace: PayoutTrace,
  taken: readonly string[],
): Promise<PayoutVerdict> {
  try {
    const verdict = judgePayout(trace, await readPayoutRequests(client, account), taken);
    if (verdict.kind !== 'contradictory' || !(await hasFallenBy(client, account, trace))) return verdict;
    return { kind: 'made', request: verdict.request, byBalance: true };
  } catch (error) {
    if (!(error instanceof ServiceError) && !(error instanceof IncompleteScanError)) throw error;
    return { kind: 'unread', why: error.message };
  }
}
