import { findingsIn, isStatement, type Finding } from '../runner/answers.ts';
import type { Result } from '../drive.ts';
import { threadOf, type Thread } from '../runner/thread.ts';
import type { Question } from '../runner/one-run.ts';

/** What became of one mutant. */
export type Hunted =
  | { readonly kind: 'found'; readonly seed: number; readonly violation: Finding }
  | { readonly kind: 'found by its test'; readonly words: string }
  | { readonly kind: 'survived' }
  /** It was seen only by what broke in Herald itself, which proves nothing about the chaos run. */
  | { readonly kind: 'crashed'; readonly seed: number; readonly crash: Finding };

/** Runs seed after seed until one shows the fault, and is clean without it. */
export async function hunt(
  bundle: URL,
  seeds: Iterable<number>,
  isCleanWithout: (seed: number) => Promise<boolean>,
): Promise<Hunted> {
  const thread: Thread<Question, Result> = threadOf(bundle);
  let crashed: Hunted = { kind: 'survived' };
  try {
    for (const seed of seeds) {
      const findings = findingsIn(await thread.ask({ seed }));
      const violation = findings.find(isStatement);
      if (violation === undefined) {
        const [crash] = findings;
        if (crash !== undefined && crashed.kind === 'survived') crashed = { kind: 'crashed', seed, crash };
      } else if (await isCleanWithout(seed)) return { kind: 'found', seed, violation };
    }
    return crashed;
  } finally {
    await thread.end();
  }
}

/** Whether the product itself passes a seed; each is asked once, however many mutants need to know. */
export function cleanSeeds(bundle: URL): {
  readonly isClean: (seed: number) => Promise<boolean>;
  readonly end: () => Promise<void>;
} {
  const thread: Thread<Question, Result> = threadOf(bundle);
  const known = new Map<number, Promise<boolean>>();
  let last: Promise<unknown> = Promise.resolve();
  const ask = (seed: number): Promise<boolean> => {
    const answer = last.then(async () => findingsIn(await thread.ask({ seed })).length === 0);
    last = answer;
    return answer;
  };
  return {
    isClean: (seed) => {
      const answer = known.get(seed) ?? ask(seed);
      known.set(seed, answer);
      return answer;
    },
    end: () => thread.end(),
  };
}
