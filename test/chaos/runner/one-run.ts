import { drive, type Result } from '../drive.ts';
import { scenarioOf, type Scenario } from '../scenario.ts';

/** What a thread is asked to run: the scenario of a seed, or one that was made from it. */
export type Question = { readonly seed: number } | { readonly scenario: Scenario };

export function runOf(question: Question): Promise<Result> {
  return drive('seed' in question ? scenarioOf(question.seed) : question.scenario);
}
