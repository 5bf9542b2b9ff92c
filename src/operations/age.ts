import type { Clock } from '../domain/ports.ts';
import type { Left } from '../ledger/ages.ts';
import type { Ledger } from '../ledger/ledger.ts';

interface AgePorts {
  readonly clock: Clock;
  readonly ledger: Ledger;
}

/**
 * How old a request of this run is, in milliseconds: as its wall clock says, and never older than this process knows
 * it to be. A wall clock may be set while an answer is waited for.
 */
export function ageHere({ clock, ledger }: AgePorts, entry: string, sentAtMs: number): number {
  return Math.max(0, Math.min(clock.now() - sentAtMs, ledger.ageMs(entry)));
}

/** How old a request on record is at least, in milliseconds. The service's clock should have been heard before. */
export function ageOnRecord({ clock, ledger }: AgePorts, left: Left, entry: string): number {
  return clock.now() - ledger.ages.here(left, entry).sentAtMs;
}
