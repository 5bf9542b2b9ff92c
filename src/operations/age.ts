import type { Clock } from '../domain/ports.ts';
import type { Ledger } from '../ledger/ledger.ts';

/**
 * How old a request of this run is, in milliseconds: as its wall clock says, and never older than this process knows
 * it to be. A wall clock may be set while an answer is waited for.
 */
export function ageHere(
  { clock, ledger }: { readonly clock: Clock; readonly ledger: Ledger },
  entry: string,
  sentAtMs: number,
): number {
  return Math.max(0, Math.min(clock.now() - sentAtMs, ledger.ageMs(entry)));
}
