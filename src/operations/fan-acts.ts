import type { Client } from '../api/client.ts';
import type { Clock } from '../domain/ports.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import { actsOf, type Act } from '../ledger/acts.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { LedgerLine } from '../ledger/lines.ts';

/** One fan of one account. */
export interface FanPlace {
  readonly account: ResolvedAccount;
  readonly fanId: string;
}

export interface FanPorts {
  readonly client: Client;
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** Aborted by an interrupt: nothing that is not sent yet is sent, and nobody waits any longer. */
  readonly stop: AbortSignal;
  /** How long a request whose answer was lost may still be carried out. */
  readonly settleMs: number;
  /** Told before a wait, with its length. */
  readonly onWait: (seconds: number) => void;
}

/** What earlier runs did with this fan by that operation, oldest first. */
export function earlierActs(
  lines: readonly LedgerLine[],
  operation: 'fans.label' | 'fans.follow',
  { account, fanId }: FanPlace,
): readonly Act[] {
  return actsOf(lines).filter(
    (act) =>
      act.operation === operation && act.accountId === account.accountId && act.details['fan_id'] === fanId,
  );
}

/** Waits until nothing of that age can be carried out any more; false when it was interrupted. */
export async function outwait({ clock, stop, settleMs, onWait }: FanPorts, ageMs: number): Promise<boolean> {
  // A clock that was set back must not make anybody wait for longer than one window.
  const leftMs = settleMs - Math.max(0, ageMs);
  if (leftMs > 0) {
    onWait(Math.ceil(leftMs / 1000));
    await clock.sleep(leftMs, stop).catch(() => undefined);
  }
  return !stop.aborted;
}
