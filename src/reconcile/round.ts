import type { Closed } from '../apply/close-open.ts';
import type { Executed } from '../apply/execute.ts';
import type { RepeatBound } from '../apply/repeat-bound.ts';
import type { Change } from '../domain/change.ts';
import type { ReconcilePorts } from './ports.ts';
import type { Inspection, Source } from './source.ts';

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
  /** False after an interrupt, or if the ledger cannot be written. */
  readonly mayGoOn: () => boolean;
}
