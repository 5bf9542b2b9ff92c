import type { Readable, Writable } from 'node:stream';
import { QuestionLeftError } from '../domain/ports.ts';

/** The streams of a question. */
export interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
}

interface AskOptions {
  readonly colour: boolean;
  /** Ends the question without an answer. */
  readonly left: AbortSignal;
}

/**
 * Asks a yes-or-no question. Enter alone means no, and earlier input does not count. Rejects with
 * `QuestionLeftError` without an answer: Ctrl-C, Escape, the end of the input, or `left`.
 */
export async function ask(
  question: string,
  terminal: Terminal | undefined,
  { colour, left }: AskOptions,
): Promise<boolean> {
  if (terminal === undefined) throw new QuestionLeftError();
  const { input } = terminal;
  const [{ confirm, isCancel }, { PromptTerminal }] = await Promise.all([
    import('@clack/prompts'),
    import('./prompt-terminal.ts'),
  ]);
  const output = new PromptTerminal(terminal.output, colour);
  const unanswered = new AbortController();
  let isOver = false;
  // Ctrl-D only closes the reader, which pauses its input. Then the prompt would wait without end.
  // The reader also closes after an answer; a moment later we know which it was.
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

/** Earlier keys, such as the next command line, may contain a `y`. */
async function dropTypedAhead(input: Readable): Promise<void> {
  const { ReadStream } = await import('node:tty');
  // Only this reads an incomplete line.
  const terminal = input instanceof ReadStream ? input : null;
  const drop = () => undefined;
  terminal?.setRawMode(true);
  input.on('data', drop);
  // The first turn starts reading, the next one has read the earlier input.
  await nextTurn();
  await nextTurn();
  input.off('data', drop);
  input.pause();
  terminal?.setRawMode(false);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
