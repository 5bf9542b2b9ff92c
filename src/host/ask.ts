import type { Readable, Writable } from 'node:stream';
import { QuestionLeftError } from '../domain/ports.ts';

/** Where a question is asked and answered. */
export interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
}

interface AskOptions {
  readonly colour: boolean;
  /** Leaves the question without an answer. */
  readonly left: AbortSignal;
}

/**
 * Asks a yes-or-no question; Enter alone is no, and what was typed before is no answer. Rejects with `QuestionLeftError`
 * when nobody answers it: Ctrl-C, Escape, the end of the input, or `left`.
 */
export async function ask(
  question: string,
  terminal: Terminal | undefined,
  { colour, left }: AskOptions,
): Promise<boolean> {
  if (terminal === undefined) throw new QuestionLeftError();
  const { input } = terminal;
  const [{ confirm, isCancel }, { Screen }] = await Promise.all([
    import('@clack/prompts'),
    import('./screen.ts'),
  ]);
  const output = new Screen(terminal.output, colour);
  const unanswered = new AbortController();
  let isOver = false;
  // Ctrl-D only closes the reader, which pauses its input, and the prompt would wait for ever for what nobody reads.
  // The reader of a question that is answered closes as well, and a moment later that is known.
  const onPause = () => setImmediate(() => isOver || unanswered.abort());
  input.on('end', onPause);
  try {
    await dropTypedAhead(input);
    input.on('pause', onPause);
    const signal = AbortSignal.any([left, unanswered.signal]);
    const answer = await confirm({ message: question, initialValue: false, input, output, signal });
    if (isCancel(answer)) throw new QuestionLeftError();
    return answer;
  } finally {
    isOver = true;
    output.close();
    input.off('pause', onPause);
    input.off('end', onPause);
  }
}

/** Keys meant for something else, as the next command line, may hold a `y`. */
async function dropTypedAhead(input: Readable): Promise<void> {
  const { ReadStream } = await import('node:tty');
  // A line that is not ended yet can be read only like this.
  const terminal = input instanceof ReadStream ? input : null;
  const drop = () => undefined;
  terminal?.setRawMode(true);
  input.on('data', drop);
  // One turn begins to read, the next has read what stood there.
  await nextTurn();
  await nextTurn();
  input.off('data', drop);
  input.pause();
  terminal?.setRawMode(false);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
