import type { Left } from '../ledger/ages.ts';
import type { Ledger } from '../ledger/ledger.ts';

interface AgePorts {
  readonly ledger: Ledger;
}

/** How old a request of this run is, in milliseconds, by the monotonic clock: a wall clock may be set meanwhile. */
export function ageInThisRun({ ledger }: AgePorts, entry: string, sentAtMs: number): number {
  return ledger.ages.ageMs({ sentAtMs, skewMs: null }, entry);
}

/** How old a request on record is at least, in milliseconds. The service's clock should have been heard before. */
export function ageFromLedger({ ledger }: AgePorts, left: Left, entry: string): number {
  return ledger.ages.ageMs(left, entry);
}
