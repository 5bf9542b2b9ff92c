import type { Closed } from '../../apply/close-open.ts';
import type { Executed } from '../../apply/execute.ts';
import type { RepeatBound } from '../../apply/repeat-bound.ts';
import type { Context } from '../context.ts';
import type { Change } from '../../domain/change.ts';
import type { Inspection, Source } from './inspect.ts';

/** What one round of changes came to, and the open entries that were closed before it. */
export interface RoundEnd extends Executed {
  readonly closed: Closed;
}

/** What the settling needs of the run whose lost answers it settles. */
export interface Settling {
  readonly context: Context;
  readonly source: Source;
  readonly repeats: RepeatBound;
  /** Carries out these changes of a plan. */
  readonly carriedOut: (inspection: Inspection, changes: readonly Change[]) => Promise<RoundEnd>;
  /** False once the run was interrupted or its record cannot be written any more. */
  readonly mayGoOn: () => boolean;
}
