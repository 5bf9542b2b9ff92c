import type { Change, Outcome } from '../domain/change.ts';
import type { LiveId } from '../domain/ids.ts';
import type { Address, Kind } from '../domain/resource.ts';
import type { LeaseWaitProgress } from '../ledger/wait-for-lease.ts';

/** Events of the engine. The command line prints them. */
export type ReconcileEvent =
  | { readonly kind: 'reading'; readonly done: number; readonly total: number }
  /** Another run has the lease, and this one waits for it. */
  | ({ readonly kind: 'waiting-for-lease' } & LeaseWaitProgress)
  /** It waits for unconfirmed requests. `isFirst` is true once per wait. */
  | {
      readonly kind: 'resolving';
      readonly requests: number;
      readonly leftMs: number;
      readonly isFirst: boolean;
    }
  /** This stop was sent while the run still waits for unconfirmed requests. */
  | { readonly kind: 'stopped-meanwhile'; readonly outcome: Outcome }
  /** These stops are not sent before a question is answered, although the run waits. */
  | { readonly kind: 'stops-wait'; readonly stops: readonly Change[] }
  | { readonly kind: 'applying'; readonly done: number; readonly total: number; readonly change: Change }
  /** The state of the last event has ended. */
  | { readonly kind: 'idle' }
  /** The lists could not be read after the apply. The report is unchanged. */
  | { readonly kind: 'verify-failed'; readonly error: unknown }
  /** The lists could not be read to resolve lost answers, so they stay unknown. */
  | { readonly kind: 'resolve-failed'; readonly error: unknown }
  /** This run lost its lease, and sent nothing more. */
  | { readonly kind: 'lease-lost'; readonly reason: string }
  /** The ledger cannot be written. `problem` has the reason, and the file what the ledger misses. */
  | {
      readonly kind: 'ledger-incomplete';
      readonly problem: string;
      readonly rescuedIn: string | null;
    }
  /** Another run may be creating an object of the stopped name, and it is not known what came of that. */
  | { readonly kind: 'create-without-end'; readonly stop: StoppedName }
  /** A request of another run may arrive after this stop and undo it. */
  | {
      readonly kind: 'stop-may-be-undone';
      readonly stop: StoppedName;
      readonly liveId: LiveId;
      readonly leftMs: number;
    }
  /** A change of an earlier run may have been half done. It was repeated, and the service confirmed it. */
  | { readonly kind: 'repeated'; readonly address: Address; readonly liveId: LiveId }
  /** An account is left out, with the reason as a sentence. */
  | { readonly kind: 'left-out'; readonly sentence: string }
  /** A bug in one change. It failed, and the others continue. */
  | { readonly kind: 'bug'; readonly error: unknown };

/** What a person stops by hand, and the name of what else may run then. */
export interface StoppedName {
  readonly kind: Kind;
  readonly name: string;
  readonly account: string;
  readonly action: 'pause' | 'archive' | 'recall';
}
