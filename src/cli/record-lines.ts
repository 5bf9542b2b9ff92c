import { shown, type Visible } from '../domain/visible.ts';
import { formatCommand } from '../domain/command-line.ts';
import { errorLine } from './notice.ts';

/** The error for a ledger that misses lines about what this run did. */
export function incompleteLine({
  problem,
  rescuedIn,
}: {
  readonly problem: string;
  readonly rescuedIn: string | null;
}): Visible {
  return errorLine(
    'ledger-incomplete',
    rescuedIn === null
      ? shown`${problem}. The ledger is incomplete (is the disk full?). Free some space, keep this output, and run ${formatCommand('plan')} before anything else.`
      : shown`${problem}. The ledger is incomplete. The missing lines are in ${rescuedIn}. Keep this file, and add them as soon as the ledger can be written: ${formatCommand('state', 'push', rescuedIn)}`,
  );
}

/** The error for a run that may not be the only one any more. */
export function leaseLostLine(reason: string): Visible {
  return errorLine(
    'lease-lost',
    shown`This run lost the lease: ${reason}. It sent nothing more. What it sent before is resolved by the next run: ${formatCommand('plan')}`,
  );
}
