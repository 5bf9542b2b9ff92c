import type { SendTime } from '../ledger/ages.ts';
import type { Ledger } from '../ledger/ledger.ts';

interface AgePorts {
  readonly ledger: Ledger;
}

/** The age of a request of this run in milliseconds, by the monotonic clock: a wall clock may be set meanwhile. */
export function ageInThisRun({ ledger }: AgePorts, entry: string, sentAtMs: number): number {
  return ledger.ages.ageMs({ sentAtMs, skewMs: null }, entry);
}

/** The minimum age of a recorded request in milliseconds. The service's clock should be known before. */
export function ageFromLedger({ ledger }: AgePorts, left: SendTime, entry: string): number {
  return ledger.ages.ageMs(left, entry);
}
