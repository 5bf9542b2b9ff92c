import { simplerVersions } from './simpler.ts';
import type { Data } from './data.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Shrunk {
  readonly data: Data;
  readonly tries: number;
}

/**
 * Makes the data simpler as long as `firstThatFails` finds a version that still fails, and for so many tries.
 * `firstThatFails` answers the place of the first of them in the list, -1 for none.
 */
export async function shrink(
  data: Data,
  vocabulary: Vocabulary,
  triesMax: number,
  firstThatFails: (versions: readonly Data[]) => Promise<number>,
): Promise<Shrunk> {
  let current = data;
  let tries = 0;
  // What did not help a moment ago seldom does after a small change: only once nothing else helps, all is tried again.
  let passed = 0;
  let hasHelped = false;
  for (;;) {
    const versions = simplerVersions(current, vocabulary).slice(passed);
    const tried = versions.slice(0, triesMax - tries);
    const place = await firstThatFails(tried);
    const better = tried[place];
    tries += better === undefined ? tried.length : place + 1;
    if (better !== undefined) {
      current = better;
      passed += place;
      hasHelped = true;
    } else if (tries >= triesMax || !hasHelped) return { data: current, tries };
    else {
      passed = 0;
      hasHelped = false;
    }
  }
}
