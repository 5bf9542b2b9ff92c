import type { Trace } from '../trace.ts';
import { endsWell, sendsNothingTwice } from './closing.ts';
import {
  agreesFirst,
  keepsTheHour,
  repeatsOnlyAfterProof,
  startsOneAtATime,
  waitsForStops,
} from './starts.ts';
import { keepsStopped, stopsAtOnce } from './stops.ts';
import { onlyReads, saysTheTruth, speaksPlainly } from './words.ts';

/** The promise of core.md, as it can be seen from the service. Each check answers what breaks it, in words. */
export const INVARIANTS = {
  'G1 one start at a time': startsOneAtATime,
  'G1 a start waits for stops': waitsForStops,
  'G2 a repeat only after proof': repeatsOnlyAfterProof,
  'G3 what was stopped stays stopped': keepsStopped,
  'G4 nothing right before its hour': keepsTheHour,
  'G5 what it says is true': saysTheTruth,
  'G6 only what was agreed': agreesFirst,
  'G7 a stop by hand at once': stopsAtOnce,
  'G8 a command that reads only reads': onlyReads,
  'words: no stack trace, a next command, a known exit code': speaksPlainly,
  'the end: quiet, and all live once or blocked by name': endsWell,
  'nothing is sent twice': sendsNothingTwice,
} as const satisfies Record<string, (trace: Trace) => readonly string[]>;

export type Invariant = keyof typeof INVARIANTS;

export interface Violation {
  readonly invariant: string;
  readonly words: string;
}

export function judge(trace: Trace): readonly Violation[] {
  const names = Object.keys(INVARIANTS) as Invariant[];
  return names.flatMap((invariant) => INVARIANTS[invariant](trace).map((words) => ({ invariant, words })));
}
