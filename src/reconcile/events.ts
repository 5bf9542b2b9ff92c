import type { Change } from '../domain/change.ts';
import type { Kind } from '../domain/resource.ts';

/** What the engine tells while it works. The command line turns it into words and a progress line. */
export type ReconcileEvent =
  | { readonly kind: 'reading'; readonly done: number; readonly total: number }
  /** It waits until requests whose answers were lost can no longer be carried out. `isFirst` once for each wait. */
  | {
      readonly kind: 'resolving';
      readonly requests: number;
      readonly leftMs: number;
      readonly isFirst: boolean;
    }
  | { readonly kind: 'applying'; readonly done: number; readonly total: number; readonly change: Change }
  /** What the last event told is over. */
  | { readonly kind: 'idle' }
  /** The lists could not be read after the apply; the report stays as it is. */
  | { readonly kind: 'verify-failed'; readonly error: unknown }
  /** The lists could not be read to find out what became of lost answers; they stay unknown. */
  | { readonly kind: 'resolve-failed'; readonly error: unknown }
  /** The ledger could not be written any more; `problem` says why. */
  | { readonly kind: 'ledger-incomplete'; readonly problem: string }
  /** Another run has created an object of the name that was just stopped. */
  | { readonly kind: 'created-meanwhile'; readonly stop: StoppedName; readonly liveId: string }
  /** Another run may be creating one: its request is on record without an end. */
  | { readonly kind: 'create-without-end'; readonly stop: StoppedName }
  /** A request of another run may arrive after this stop and undo it. */
  | {
      readonly kind: 'stop-may-be-undone';
      readonly stop: StoppedName;
      readonly liveId: string;
      readonly leftMs: number;
    }
  /** A program error in one change: it failed, and the others go on. */
  | { readonly kind: 'bug'; readonly error: unknown };

/** What a person has just stopped by hand. */
export interface StoppedName {
  readonly kind: Kind;
  readonly name: string;
  readonly account: string;
  readonly action: 'pause' | 'archive';
}
