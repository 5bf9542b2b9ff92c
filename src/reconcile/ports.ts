import type { SharedState } from '../domain/ledger-store.ts';
import type { Clock, Files } from '../domain/ports.ts';
import type { ReconcileEvent } from './events.ts';

/** What the engine needs from outside. The command line wires it, and so may a program that uses Herald as a library. */
export interface ReconcilePorts {
  readonly clock: Clock;
  readonly files: Files;
  readonly state: SharedState;
  /** Who runs Herald and a name for this run, for the ledger. */
  readonly identity: { readonly run: string; readonly who: string };
  /** Aborted by the first interrupt: the call in flight ends, and nothing new begins. */
  readonly interrupted: AbortSignal;
  /** Hears what the engine is doing. It must return at once. */
  readonly report: (event: ReconcileEvent) => void;
}
