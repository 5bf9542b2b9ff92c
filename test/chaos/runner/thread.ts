import { Worker, type MessagePort } from 'node:worker_threads';

/** A run of one scenario in virtual time takes less than a second: one that takes this long never ends. */
const LONGEST_RUN_MS = 120_000;

/** How a question to a thread ended; without an answer, it says why there is none. */
export type Answer<Result> =
  { readonly result: Result } | { readonly crash: string } | { readonly stuckAfterSec: number };

/** A thread that runs one bundle and answers one question at a time. It starts again after a crash. */
export interface Thread<Question, Result> {
  ask(question: Question): Promise<Answer<Result>>;
  end(): Promise<void>;
}

export function threadOf<Question, Result>(
  file: URL,
  longestMs: number = LONGEST_RUN_MS,
): Thread<Question, Result> {
  let worker: Worker | null = null;
  const end = async () => {
    const current = worker;
    worker = null;
    await current?.terminate();
  };
  return {
    end,
    ask: async (question) => {
      worker ??= new Worker(file);
      const answer = await answerOf<Question, Result>(worker, question, longestMs);
      if (!('result' in answer)) await end();
      return answer;
    },
  };
}

function answerOf<Question, Result>(
  worker: Worker,
  question: Question,
  longestMs: number,
): Promise<Answer<Result>> {
  return new Promise((resolve) => {
    const end = (answer: Answer<Result>) => {
      clearTimeout(timer);
      worker.off('message', end).off('exit', onExit).off('error', onError);
      // A thread that fails while it is stopped must not end the whole process.
      if (!('result' in answer)) worker.on('error', () => undefined);
      resolve(answer);
    };
    const onError = (error: Error) => end({ crash: error.stack ?? String(error) });
    const onExit = (code: number) => end({ crash: `the thread ended with code ${code}` });
    const timer = setTimeout(() => end({ stuckAfterSec: longestMs / 1000 }), longestMs);
    worker.on('message', end).on('exit', onExit).on('error', onError);
    worker.postMessage(question);
  });
}

/** The other side: answers each question of the thread that started this one. */
export function answerTo<Question, Result>(
  port: MessagePort,
  answer: (question: Question) => Promise<Result>,
): void {
  port.on('message', (question: Question) => {
    void answer(question).then(
      (result) => port.postMessage({ result }),
      (error: unknown) => port.postMessage({ crash: error instanceof Error ? error.stack : String(error) }),
    );
  });
}
