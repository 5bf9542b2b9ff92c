import type { Ledger } from '../ledger/ledger.ts';
import type { PlatformAccount } from '../live/targets.ts';
import { ageFromLedger } from './age.ts';
import { conclusion } from '../requests/conclusion.ts';
import { waitOut } from '../requests/settle-window.ts';
import type { EarlierPayout, KnownPayouts } from './payout-acts.ts';
import { closeWith, type ClosedPayout } from './payout-conclude.ts';
import { resolvePayout, type PayoutVerdict, type ResolvePorts } from './payout-resolve.ts';
import { ensureAgesKnown } from '../live/hear-clock.ts';

/** What the clocks tell of an earlier run may be wrong by so much (LIMIT-6). */
const CLOCK_SKEW_MS = 5_000;

/**
 * How long a request that no list shows still blocks the account (LOST-13, FAULT-12). A commit that comes later
 * than this is beyond anything that the document allows.
 */
const BLOCKS_MS = 24 * 3_600_000;

/** What came of one request of an earlier run. */
export interface ReconciledPayout {
  readonly open: EarlierPayout;
  /** `gone`: no list showed it for 24 hours. `open`: a person must look. */
  readonly end:
    ClosedPayout | { readonly kind: 'gone' } | { readonly kind: 'open'; readonly verdict: PayoutVerdict };
}

type Ports = ResolvePorts & { readonly ledger: Ledger };

/**
 * Finds the results of earlier requests of the account before a new one. Found ones are closed as made, those
 * that no list has shown for a day as gone. The others stay unconfirmed and block.
 */
export async function reconcilePayouts(
  ports: Ports,
  account: PlatformAccount,
  { open, taken }: KnownPayouts,
): Promise<readonly ReconciledPayout[]> {
  const reconciled: ReconciledPayout[] = [];
  const claimed = [...taken];
  if (open.length > 0) await ensureAgesKnown(ports.client);
  for (const one of open) {
    const verdict = await judge(ports, account, one, claimed);
    if (verdict.kind === 'made') claimed.push(verdict.request.invoiceId);
    reconciled.push({ open: one, end: await endOf(ports, one, verdict) });
  }
  return reconciled;
}

async function judge(
  ports: Ports,
  account: PlatformAccount,
  earlier: EarlierPayout,
  claimed: readonly string[],
): Promise<PayoutVerdict> {
  const settling = { ...ports, settleMs: ports.settleMs + CLOCK_SKEW_MS };
  const ageMs = ageFromLedger(ports, earlier.act, earlier.act.entry);
  if (earlier.trace !== null) return resolvePayout(settling, account, earlier.trace, ageMs, claimed);
  const isOver = ageMs >= settling.settleMs || (await waitOut(settling, ageMs));
  return isOver
    ? { kind: 'ambiguous', requests: [] }
    : { kind: 'unread', why: 'its line in the ledger is damaged, and no run waited for its result' };
}

async function endOf(
  ports: Ports,
  earlier: EarlierPayout,
  verdict: PayoutVerdict,
): Promise<ReconciledPayout['end']> {
  const { act } = earlier;
  if (verdict.kind === 'made') return closeWith(ports, act.entry, verdict, 'adopted');
  if (verdict.kind !== 'not_seen' || ageFromLedger(ports, act, act.entry) < BLOCKS_MS)
    return { kind: 'open', verdict };
  await ports.ledger.conclude(act.entry, conclusion('absent', 'no list has shown it for 24 hours'));
  return { kind: 'gone' };
}
