import type { Leases } from '../domain/lease.ts';
import type { Place } from './confined.ts';
import { endLock, lockHolder, lockRecord, takeLock, type Watch } from './lock.ts';
import type { Self } from './lock-holder.ts';

/** The lock is the folder `.herald/apply.lock`. */
const LOCK_PATH = '.herald/apply';

/** A lease as a lock next to the ledger: for the runs of one machine, and for those that share its folder. */
export function fileLeases(place: Place, self: Self, watch?: Watch): Leases {
  return {
    take: async () => takeLock(place(LOCK_PATH), self, watch),
    holder: async () => lockHolder(place(LOCK_PATH), self),
    record: async () => lockRecord(place(LOCK_PATH), self),
    end: async (record) => endLock(place(LOCK_PATH), record),
  };
}
