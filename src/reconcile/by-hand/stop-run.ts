import type { Client } from '../../api/client.ts';
import type { Lease } from '../../domain/lease.ts';
import type { ResolvedAccount } from '../../domain/resource.ts';
import type { WorkspaceSettings } from '../../domain/workspace.ts';
import type { Wish } from '../../plan/by-hand/answer.ts';
import type { ReconcilePorts } from '../ports.ts';

/** A change by hand that stops an object. */
export type StopWish = Wish & { readonly action: 'pause' | 'archive' };

/** Thrown before a stop would wait for an earlier start of the same object: the stop is sent first. */
export class StartUnderWayError extends Error {
  override readonly name = 'StartUnderWayError';
}

/** A stop without a complete list or without the lock. */
export interface StopRun {
  readonly ports: ReconcilePorts;
  readonly client: Client;
  readonly settings: WorkspaceSettings;
  readonly account: ResolvedAccount;
  readonly wish: StopWish;
  readonly settleMs: number;
  /** The reason why it does not need the list or the lock, as a sentence. */
  readonly why: string;
  /** Null while another run has the lease. */
  readonly lease: Lease | null;
}
