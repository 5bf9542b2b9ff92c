import type { Cause } from '../cause.ts';
import { isoTime } from '../records.ts';
import type { World } from '../world.ts';
import { settlePayouts } from './lifecycle.ts';

/** The payouts of one account, seen from outside the API. */
export interface PayoutTruth {
  readonly available_cents: number;
  readonly pending_cents: number;
  /** Every request that was committed, oldest first; more than were asked for is money sent twice. */
  readonly committed: readonly {
    readonly at: string;
    readonly invoice_id: string;
    readonly cents: number;
    readonly state: string;
    readonly cause: Cause;
  }[];
}

/** What was really paid out, by account id. */
export function payoutTruth(world: World): Record<string, PayoutTruth> {
  return Object.fromEntries(
    Object.values(world.accounts).map((account) => {
      const { availableCents, pendingCents, requests } = settlePayouts(world, account);
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
