import type { Client } from '../../api/client.ts';
import type { Lease } from '../../domain/lease.ts';
import type { ResolvedAccount } from '../../domain/resource.ts';
import type { WorkspaceSettings } from '../../domain/workspace.ts';
import type { Wish } from '../../plan/by-hand/answer.ts';
import type { ReconcilePorts } from '../ports.ts';

/** A wish that stops something. */
export type StopWish = Wish & { readonly action: 'pause' | 'archive' };

/** A stop that goes ahead without a complete list or without the lock. */
export interface StopRun {
  readonly ports: ReconcilePorts;
  readonly client: Client;
  readonly settings: WorkspaceSettings;
  readonly account: ResolvedAccount;
  readonly wish: StopWish;
  readonly settleMs: number;
  /** Why it goes ahead without a list or without the lock, a sentence. */
  readonly why: string;
  /** Null while another run has the lease. */
  readonly lease: Lease | null;
}
