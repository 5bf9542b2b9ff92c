import { LockHeldError, type Lease, type Leases } from '../domain/lease.ts';
import type { Clock } from '../domain/ports.ts';

/** How long a run waits for a lease that another one has. */
export interface LeaseWait {
  /** 0: it does not wait. */
  readonly timeoutMs: number;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  /** Told about the wait again and again. */
  readonly onWait: (wait: LeaseWaitProgress) => void;
}

export interface LeaseWaitProgress {
  readonly holder: string;
  readonly leftMs: number;
  /** True once per wait. */
  readonly isFirst: boolean;
}

const LOOK_MS = 1_000;

/** Takes the lease as soon as it is free. Rejects with the last `LockHeldError` if it is still held when time is over. */
export async function takeInTime(leases: Leases, wait: LeaseWait): Promise<Lease> {
  const { timeoutMs, clock, onWait } = wait;
  const startedMs = clock.monotonicMs();
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await leases.take();
    } catch (error) {
      if (!(error instanceof LockHeldError) || timeoutMs === 0) throw error;
      const waitedMs = clock.monotonicMs() - startedMs;
      const leftMs = timeoutMs - waitedMs;
      if (leftMs <= 0) throw new LockHeldError(error.path, error.holder, waitedMs);
      onWait({ holder: error.holder, leftMs, isFirst });
      await clock.sleep(Math.min(LOOK_MS, leftMs));
    }
  }
}
