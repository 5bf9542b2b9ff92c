import type { Problem } from '../../api/errors.ts';
import { ended, type Ended } from './upload.ts';

/** The key is not accepted, or may not do this: no new start helps it. */
export function isDenied({ status }: Problem): boolean {
  return status === 401 || status === 403;
}

/** The end by a call that did not go well; `words` say what happened and how far it came. */
export function endedBy(problem: Problem, words: string): Ended {
  return ended('failed', `${words} ${problem.hint ?? ''}`.trim(), { denied: isDenied(problem) });
}
