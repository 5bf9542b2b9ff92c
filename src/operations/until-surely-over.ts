import type { Ages } from '../ledger/ages.ts';
import type { Unfinished } from '../ledger/unfinished.ts';
import { waitOut, type WaitPorts } from '../requests/settle-window.ts';

/**
 * Waits before a person closes a request that is over by the service's clock. If this machine's clock disagrees, one of the
 * service's servers may be wrong, and the request may still be in progress (decision 18). What is closed may be sent
 * again, so it is then only as old as this command has known it. Resolves with false if it was interrupted.
 */
export function untilSurelyOver(ports: WaitPorts, ages: Ages, one: Unfinished): Promise<boolean> {
  return waitOut(ports, ages.ageMs(one, one.entry));
}
