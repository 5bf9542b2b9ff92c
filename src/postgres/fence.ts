import type { Lease } from '../domain/lease.ts';
import { StateError } from '../domain/state-error.ts';
import type { Query } from './database.ts';
import { fenceIn } from './lease.ts';
import type { StateWorkspace } from './workspace.ts';

/** Locks the row of the workspace until the transaction ends: nothing is added meanwhile, and no run takes the lease. */
export async function lockedFence(query: Query, id: string): Promise<string> {
  const [row] = await query('SELECT fence FROM herald.workspaces WHERE id = $1 FOR UPDATE', [id]);
  return String(row?.['fence']);
}

/** Throws if another run has taken the lease by now. Returns the number of the lease. */
export function refuseTaken(workspace: StateWorkspace, lease: Lease, locked: string): string {
  const fence = fenceIn(lease);
  if (locked !== fence) throw leaseTaken(workspace);
  return fence;
}

export function leaseTaken({ place }: StateWorkspace): StateError {
  return new StateError(
    'state-failed',
    `${place.name}: nothing was changed, because another run has taken the lease.`,
    'Wait for that run to end, then run the command again.',
  );
}
