import type { Closed } from '../apply/close-open.ts';
import type { Executed } from '../apply/execute.ts';
import type { RepeatBound } from '../apply/repeat-bound.ts';
import type { Change } from '../domain/change.ts';
import type { ReconcilePorts } from './ports.ts';
import type { Inspection, Source } from './source.ts';

/** What one round of changes came to, and the open entries that were closed before it. */
export interface RoundEnd extends Executed {
  readonly closed: Closed;
}

/** What the resolving needs of the run whose lost answers it settles. */
export interface ResolveRun {
  readonly ports: ReconcilePorts;
  readonly source: Source;
  readonly repeats: RepeatBound;
  /** Carries out these changes of a plan. */
  readonly carriedOut: (inspection: Inspection, changes: readonly Change[]) => Promise<RoundEnd>;
  /** False once the run was interrupted or its record cannot be written any more. */
  readonly mayGoOn: () => boolean;
}
