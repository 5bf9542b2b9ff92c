import type { SavedPlan } from '../plan/saved.ts';
import type { Inspection, RunOptions } from './source.ts';
import type { NamedPlan } from './stale.ts';

/** The options of one apply. */
export interface ApplyOptions extends RunOptions {
  /** The reviewed plan. Null to plan now. */
  readonly saved: SavedPlan | null;
  /** Name of `saved` in messages. */
  readonly named: NamedPlan;
  /** Largest age of a reviewed plan, in milliseconds. */
  readonly maxAgeMs: number;
  /** Name of the shown plan, if it changes during the question. */
  readonly onScreen?: NamedPlan;
  /** True if nothing is asked. Then stops are sent while the run waits for unconfirmed requests. */
  readonly isAgreed: boolean;
  /** Throws if the plan must not be carried out, for a reason that is not in it. Called before anything is sent. */
  readonly check?: (inspection: Inspection) => void;
  /** Called with the planned changes before anything is refused or asked. */
  readonly show: (inspection: Inspection) => void;
  /**
   * Called before anything is sent; throws to stop. `waited` means that a person took time to answer. Then everything
   * is read again, and must still be what was agreed to.
   */
  readonly agree: (inspection: Inspection) => Promise<'at-once' | 'waited'>;
  /** Runs the part that sends. A program may let an interrupt wait for the current request. */
  readonly protect: <Result>(work: () => Promise<Result>) => Promise<Result>;
}
