import type { Result } from '../drive.ts';
import { inLanes } from './lanes.ts';
import type { Question } from './one-run.ts';
import { threadOf, type Answer, type Thread } from './thread.ts';

/** Runs the questions on so many threads, and gives the answers in the order of the questions. */
export async function* answersOf(
  bundle: URL,
  workers: number,
  questions: readonly Question[],
): AsyncGenerator<Answer<Result>> {
  const threads = threadsOf(bundle, Math.min(workers, questions.length));
  try {
    yield* inLanes(questions, threads, (question, thread) => thread.ask(question));
  } finally {
    await Promise.all(threads.map((thread) => thread.end()));
  }
}

export function threadsOf(bundle: URL, count: number): readonly Thread<Question, Result>[] {
  return Array.from({ length: count }, () => threadOf<Question, Result>(bundle));
}
