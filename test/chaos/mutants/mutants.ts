import { OF_ENGINE } from './of-engine.ts';
import { OF_PLAN } from './of-plan.ts';
import { OF_STATE } from './of-state.ts';

/** A small fault in the new core: it breaks one rule, and the chaos run or one test must find it. */
export interface Mutant {
  readonly name: string;
  /** The rule that it breaks. */
  readonly rule: string;
  readonly file: string;
  /** Text that is in the file exactly once, and what it becomes. */
  readonly text: string;
  readonly becomes: string;
  /** The test that finds it, where the chaos run cannot meet it: a file, and a part of names in it. */
  readonly test?: readonly [file: string, name?: string];
}

export const MUTANTS: readonly Mutant[] = [...OF_STATE, ...OF_ENGINE, ...OF_PLAN];
