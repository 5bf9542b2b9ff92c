import { formatCommand } from './command-line.ts';
import { HeraldError } from './herald-error.ts';

/**
 * The longest time between the check of the lease and the send of a request that changes something. Later, the request
 * is not sent, so a lease with so much time left covers it.
 */
export const LEAVES_WITHIN_MS = 5_000;

/** The error while another run has the lease. `holder` says which, as far as it is known. */
export function lockHeld(holder: string, waitedMs: number): HeraldError {
  const waitedSec = Math.round(waitedMs / 1000);
  const waited = waitedSec === 0 ? '' : ` Herald waited for ${waitedSec} s.`;
  return new HeraldError(
    'locked',
    `Another herald run is active: ${holder}.${waited}`,
    `Wait for it to finish, then run the command again. Or let Herald wait: --lock-timeout 10m. If that run is gone for good: ${formatCommand('state', 'unlock')}`,
  );
}
