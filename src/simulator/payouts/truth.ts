import type { Cause } from '../cause.ts';
import { isoTime } from '../records.ts';
import type { World } from '../world.ts';
import { advancePayouts } from './lifecycle.ts';

/** The true payouts of one account, for tests. */
export interface PayoutTruth {
  readonly available_cents: number;
  readonly pending_cents: number;
  /** Every committed request, oldest first. More than requested means that money was sent twice. */
  readonly committed: readonly {
    readonly at: string;
    readonly invoice_id: string;
    readonly cents: number;
    readonly state: string;
    readonly cause: Cause;
  }[];
}

/** The true payouts, by account id. */
export function payoutTruth(world: World): Record<string, PayoutTruth> {
  return Object.fromEntries(
    Object.values(world.accounts).map((account) => {
      const { availableCents, pendingCents, requests } = advancePayouts(world, account);
      const committed = requests.map(({ createdMs, invoiceId, cents, state, cause }) => ({
        at: isoTime(createdMs),
        invoice_id: invoiceId,
        cents,
        state,
        cause,
      }));
      return [
        account.live.id,
        { available_cents: availableCents, pending_cents: pendingCents, committed },
      ] as const;
    }),
  );
}
