import { wasReplaced, type Knowledge } from '../domain/knowledge.ts';
import type { Observed } from '../domain/resource.ts';
import { knownOf } from '../plan/match.ts';

/** Whether Herald itself stopped the object for another one of its name. */
export function isReplacedIn(knowledge: Knowledge): (object: Observed) => boolean {
  return (object) => {
    const known = knownOf(object, knowledge);
    return known !== null && wasReplaced(known);
  };
}
