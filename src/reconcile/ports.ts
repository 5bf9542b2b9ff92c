import type { SharedState } from '../domain/ledger-store.ts';
import type { Clock, Files } from '../domain/ports.ts';
import type { ReconcileEvent } from './events.ts';

/** Ports of the engine. The command line connects them, and so may a program that uses Herald as a library. */
export interface ReconcilePorts {
  readonly clock: Clock;
  readonly files: Files;
  readonly state: SharedState;
  /** The user, and a name for this run, for the ledger. */
  readonly identity: { readonly run: string; readonly who: string };
  /** How long to wait for a lease that another run has. Default: 0. */
  readonly lockTimeoutMs?: number;
  /** Aborted by the first interrupt. The current request ends, and no other begins. */
  readonly interrupted: AbortSignal;
  /** Called with the progress of the engine. It must return immediately. */
  readonly report: (event: ReconcileEvent) => void;
}
