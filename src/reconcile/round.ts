import type { Closed, Unconfirmed } from '../apply/close-open.ts';
import type { Executed } from '../apply/execute.ts';
import type { RepeatBound } from '../apply/repeat-bound.ts';
import type { Change } from '../domain/change.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ReconcilePorts } from './ports.ts';
import type { Inspection, Source } from './source.ts';

/** Shared by all rounds of one apply. */
export interface Run {
  readonly ports: ReconcilePorts;
  readonly source: Source;
  readonly ledger: Ledger;
  readonly repeats: RepeatBound;
  /** Changes of earlier runs that are half done, and that the first round could not confirm. Then the run starts nothing. */
  unconfirmed: readonly Unconfirmed[];
}

/** A round closes entries and applies changes. While a run waits, it only sends stops. */
export type WhichRound = 'first' | 'later' | 'meanwhile';

/** The result of one round of changes, and the entries that were closed before it. */
export interface RoundEnd extends Executed {
  readonly closed: Closed;
}

/** The run, for the resolving of its lost answers. */
export interface ResolveRun {
  readonly ports: ReconcilePorts;
  readonly source: Source;
  readonly repeats: RepeatBound;
  /** Applies these changes of a plan. */
  readonly carriedOut: (inspection: Inspection, changes: readonly Change[]) => Promise<RoundEnd>;
  /** Sends these stops of a plan while the run waits. It closes no entry. */
  readonly stoppedMeanwhile: (look: Inspection, stops: readonly Change[]) => Promise<RoundEnd>;
  /** False after an interrupt, or if the ledger cannot be written. */
  readonly mayGoOn: () => boolean;
}
