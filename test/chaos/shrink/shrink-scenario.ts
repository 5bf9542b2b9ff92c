import { findingsIn, type Finding } from '../runner/answers.ts';
import { inLanes } from '../runner/lanes.ts';
import { threadsOf } from '../runner/threads.ts';
import { scenarioOf, type Scenario } from '../scenario.ts';
import type { Data } from './data.ts';
import { isSameFailure } from './same-failure.ts';
import { shrink } from './shrink.ts';
import { Vocabulary } from './vocabulary.ts';

/** Scenarios from which the simplest values are learned. */
const SAMPLES = 300;
/** About a minute or two. Counted in tries, so that a slow machine tells the same story. */
export const TRIES_MAX = 400;

export interface ShrunkScenario {
  readonly scenario: Scenario;
  readonly tries: number;
}

/** A scenario that shows the same failure with less. The number of threads does not change what it is. */
export async function shrinkScenario(
  scenario: Scenario,
  failure: Finding,
  bundle: URL,
  workers: number,
  onTry: (tries: number) => void,
): Promise<ShrunkScenario> {
  const threads = threadsOf(bundle, workers);
  let begun = 0;
  const firstThatFails = async (versions: readonly Data[]): Promise<number> => {
    let place = 0;
    const questions = versions.map((version) => ({ scenario: scenarioFrom(version) }));
    for await (const answer of inLanes(questions, threads, (question, thread) => thread.ask(question))) {
      onTry((begun += 1));
      if (isSameFailure(failure, findingsIn(answer))) return place;
      place += 1;
    }
    return -1;
  };
  try {
    const { data, tries } = await shrink(dataOf(scenario), vocabulary(), TRIES_MAX, firstThatFails);
    return { scenario: scenarioFrom(data), tries };
  } finally {
    await Promise.all(threads.map((thread) => thread.end()));
  }
}

function vocabulary(): Vocabulary {
  return new Vocabulary(Array.from({ length: SAMPLES }, (_, seed) => dataOf(scenarioOf(seed))));
}

function dataOf(scenario: Scenario): Data {
  return JSON.parse(JSON.stringify(scenario)) as Data;
}

/** What is made of a scenario by leaving elements out, and of values that scenarios have, is a scenario. */
function scenarioFrom(data: Data): Scenario {
  return data as unknown as Scenario;
}
