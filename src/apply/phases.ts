import type { Change, ChangeKind } from '../domain/change.ts';

/**
 * per account: duplicates ──▶ stops ──▶ (duplicates of all accounts, repeats) ──▶ creates ──▶ activations
 *
 * An account's stops do not wait for another account. Nothing starts before the duplicates on every account are stopped.
 * Each account does one change at a time.
 */
const PHASE_OF = {
  retire: 'duplicates',
  pause: 'stops',
  archive: 'stops',
  recall: 'stops',
  create: 'creates',
  replace: 'creates',
  activate: 'activations',
  resume: 'activations',
  keep: null,
  done: null,
  missed: null,
  blocked: null,
  unmanaged: null,
} as const satisfies Record<ChangeKind, string | null>;

/** `late stops` are those that need the work before the starts. */
export type Phase = NonNullable<(typeof PHASE_OF)[ChangeKind]> | 'late stops';

/** The phases of an account after the work before the starts. */
export const START_PHASES = ['late stops', 'creates', 'activations'] as const satisfies readonly Phase[];

export function isStart(phase: Phase): boolean {
  return phase === 'creates' || phase === 'activations';
}

/** True if the change sends something. */
export function sends({ action }: Change): boolean {
  return PHASE_OF[action] !== null;
}

/** The phase of a change; null if it sends nothing. */
export function phaseOf(change: Change, beforeStarts: BeforeStarts | null): Phase | null {
  const phase = PHASE_OF[change.action];
  if (phase === null || isStart(phase)) return phase;
  return beforeStarts?.isNeededBy(change) === true ? 'late stops' : phase;
}

/** Work after the stops, which may forbid the starts. */
export interface BeforeStarts {
  /** Stops that need its result, so they come after it. */
  readonly isNeededBy: (change: Change) => boolean;
  /** `halted` is the reason why the run sends nothing more, or null. */
  readonly work: (halted: string | null) => Promise<MayStart>;
}

/** What may be done after the stops. */
export interface MayStart {
  /** Why nothing more is sent; null to go on. */
  readonly halt: string | null;
  /** Changes that this round leaves out, without an outcome. */
  readonly isLeftOut: (change: Change) => boolean;
}
