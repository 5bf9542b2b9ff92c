import { interruptedError } from '../domain/herald-error.ts';
import type { Readable } from 'node:stream';
import { type Question } from '../domain/ports.ts';
import { systemClock } from './clock.ts';
import type { EndSignal, Host, Terminal } from './host.ts';

const END_SIGNALS: readonly EndSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Work in which a signal does not end the process. */
export async function whileHearing<Result>(
  host: Host,
  onSignal: (signal: EndSignal) => void,
  work: () => Promise<Result>,
): Promise<Result> {
  const listeners = END_SIGNALS.map((signal) => ({ signal, listener: () => onSignal(signal) }));
  for (const { signal, listener } of listeners) host.on(signal, listener);
  try {
    return await work();
  } finally {
    for (const { signal, listener } of listeners) host.off(signal, listener);
  }
}

/** Longer than the pause between two pieces of a paste. */
const QUIET_MS = 100;

/**
 * Asks a question. Only the wanted line means yes, in either case of its letters, typed while the question is on the
 * terminal. Rejects with `interrupted` without an answer: Ctrl-C, Ctrl-D, the end of the input, or `left`.
 */
export async function ask(
  question: Question,
  terminal: Terminal | undefined,
  left: AbortSignal,
): Promise<boolean> {
  if (terminal === undefined) throw interruptedError();
  const { input, output } = terminal;
  output.write(`${question.text}\n`);
  try {
    // Only this reads an incomplete line.
    input.setRawMode?.(true);
    await dropTypedAhead(input);
    const line = left.aborted ? null : await readLine(question.prompt, terminal, left);
    if (line !== null) return line.trim().toLowerCase() === question.wanted;
    output.write('\n');
    throw interruptedError();
  } finally {
    input.setRawMode?.(false);
    input.pause();
  }
}

/** Forgets what was typed before the question, until nothing more comes: the next command line, or an impatient Enter. */
async function dropTypedAhead(input: Readable): Promise<void> {
  let isQuiet = false;
  const drop = () => (isQuiet = false);
  input.on('data', drop);
  while (!isQuiet) {
    isQuiet = true;
    await systemClock.sleep(QUIET_MS);
  }
  input.off('data', drop);
}

/** Null without an answer. */
async function readLine(
  prompt: string,
  { input, output }: Terminal,
  left: AbortSignal,
): Promise<string | null> {
  if (input.readableEnded) return null;
  const { createInterface } = await import('node:readline');
  const reader = createInterface({ input, output, prompt, terminal: true });
  const leave = () => reader.close();
  left.addEventListener('abort', leave);
  try {
    return await new Promise((resolve) => {
      // The end of the input also ends the line, and is not Enter.
      reader.once('line', (line) => resolve(input.readableEnded ? null : line));
      reader.once('close', () => resolve(null));
      reader.prompt();
    });
  } finally {
    left.removeEventListener('abort', leave);
    reader.close();
  }
}
