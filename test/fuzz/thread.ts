import { Worker, type MessagePort } from 'node:worker_threads';

/** What a thread may take for one answer before it is stopped. */
export interface Bounds {
  readonly wallMs: number;
  /** Processor time of the whole process: a busy machine does not add to it. For one thread at a time. */
  readonly cpuMs: number;
}

/** How often it is looked whether a bound is passed. */
const LOOK_MS = 250;
/** How late a look is on a busy machine. */
const LOOK_AT_MOST_MS = 5_000;

/** How a question to a thread ended; without an answer, it says why there is none. */
export type Answer<Result> =
  { readonly result: Result } | { readonly crash: string } | { readonly stuckAfterSec: number };

/** A thread that runs one bundle and answers one question at a time. It starts again after a crash. */
export interface Thread<Question, Result> {
  ask(question: Question): Promise<Answer<Result>>;
  end(): Promise<void>;
}

export function threadOf<Question, Result>(file: URL, bounds: Bounds): Thread<Question, Result> {
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
      const answer = await answerOf<Question, Result>(worker, question, bounds);
      if (!('result' in answer)) await end();
      return answer;
    },
  };
}

function answerOf<Question, Result>(
  worker: Worker,
  question: Question,
  { wallMs, cpuMs }: Bounds,
): Promise<Answer<Result>> {
  return new Promise((resolve) => {
    let waitedMs = 0;
    let lookedMs = performance.now();
    const before = process.cpuUsage();
    const end = (answer: Answer<Result>) => {
      clearInterval(looking);
      worker.off('message', end).off('exit', onExit).off('error', onError);
      // A thread that fails while it is stopped must not end the whole process.
      if (!('result' in answer)) worker.on('error', () => undefined);
      resolve(answer);
    };
    const onError = (error: Error) => end({ crash: error.stack ?? String(error) });
    const onExit = (code: number) => end({ crash: `the thread ended with code ${code}` });
    const looking = setInterval(() => {
      // Time in which this process was stopped itself does not count.
      waitedMs += Math.min(performance.now() - lookedMs, LOOK_AT_MOST_MS);
      lookedMs = performance.now();
      const { user, system } = process.cpuUsage(before);
      if ((user + system) / 1000 > cpuMs) end({ stuckAfterSec: cpuMs / 1000 });
      else if (waitedMs > wallMs) end({ stuckAfterSec: wallMs / 1000 });
    }, LOOK_MS);
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
