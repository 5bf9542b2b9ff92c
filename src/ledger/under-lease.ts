import { LockHeldError, type Lease, type Leases } from '../domain/lease.ts';
import { takeInTime, type LeaseWait } from './wait-for-lease.ts';

/**
 * Does something that no other run may do at the same time. Every lease is taken in this file. Rejects with
 * `LockHeldError` while another run has it: at once, or after `wait`.
 */
export async function underLease<Result>(
  leases: Leases,
  work: (lease: Lease) => Promise<Result>,
  wait?: LeaseWait,
): Promise<Result> {
  const lease = wait === undefined ? await leases.take() : await takeInTime(leases, wait);
  try {
    return await work(lease);
  } finally {
    await lease.release();
  }
}

/** The same for work that goes ahead while another run has the lease; it gets null then. */
export async function underLeaseIfFree<Result>(
  leases: Leases,
  work: (lease: Lease | null) => Promise<Result>,
): Promise<Result> {
  const lease = await leases.take().catch((error: unknown) => {
    if (error instanceof LockHeldError) return null;
    throw error;
  });
  try {
    return await work(lease);
  } finally {
    await lease?.release();
  }
}
