import { interruptedError } from '../domain/herald-error.ts';
import type { Key } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { type Question } from '../domain/ports.ts';
import { systemClock } from './clock.ts';

/** The streams of a question. */
export interface Terminal {
  readonly input: Readable & { setRawMode?(mode: boolean): unknown };
  readonly output: Writable;
}

interface AskOptions {
  /** Ends the question without an answer. */
  readonly left: AbortSignal;
  /** It would show escape sequences as text. */
  readonly isDumb: boolean;
}

const CTRL_C = '\u0003';
const ESCAPE = '\u001b';
/** The terminal puts sequences around what is pasted, so that a paste confirms nothing. */
const [MARK_PASTES, MARK_NO_PASTES] = [`${ESCAPE}[?2004h`, `${ESCAPE}[?2004l`];

/** Longer than the pause between two pieces of a paste. */
const QUIET_MS = 100;

/**
 * Asks a question. Only the wanted line means yes, in either case of its letters, typed while the question is on the
 * terminal. Rejects with `interrupted` without an answer: Ctrl-C, Ctrl-D, Escape, the end of the input, or `left`.
 */
export async function ask(
  question: Question,
  terminal: Terminal | undefined,
  options: AskOptions,
): Promise<boolean> {
  if (terminal === undefined) throw interruptedError();
  const { input, output } = terminal;
  output.write(`${question.text}\n`);
  try {
    // Only this reads an incomplete line.
    input.setRawMode?.(true);
    if (await dropTypedAhead(input, options)) {
      const line = await readTypedLine(question.prompt, terminal, options);
      if (line !== null) return line.trim().toLowerCase() === question.wanted;
    }
    output.write('\n');
    throw interruptedError();
  } finally {
    input.setRawMode?.(false);
    input.pause();
  }
}

/**
 * Forgets what was typed before the question, until nothing more comes: the next command line, or a paste that is still
 * arriving. False if the question is left meanwhile.
 */
async function dropTypedAhead(input: Readable, { left }: AskOptions): Promise<boolean> {
  let isQuiet = false;
  let isLeft = false;
  const drop = (piece: Buffer | string) => {
    isQuiet = false;
    // Raw mode makes no signal of it.
    isLeft ||= piece.toString().includes(CTRL_C);
  };
  input.on('data', drop);
  while (!isQuiet && !isLeft && !left.aborted) {
    isQuiet = true;
    await systemClock.sleep(QUIET_MS);
    // A process that was stopped meanwhile reads only now what has come.
    await new Promise((resolve) => setImmediate(resolve));
  }
  input.off('data', drop);
  return !isLeft && !left.aborted && !input.readableEnded;
}

/** Null if the question is left. Empty for a line with other keys than those of text, such as arrows or a paste. */
async function readTypedLine(
  prompt: string,
  { input, output }: Terminal,
  { left, isDumb }: AskOptions,
): Promise<string | null> {
  const { createInterface } = await import('node:readline');
  const reader = createInterface({ input, output, prompt, terminal: true });
  let isTyped = true;
  const onKey = (_text: string | undefined, { name, ctrl, sequence = '' }: Key) => {
    if (sequence.startsWith(ESCAPE)) isTyped = false;
    if (name === 'escape' || (ctrl === true && name === 'd')) reader.close();
  };
  const leave = () => reader.close();
  input.on('keypress', onKey);
  left.addEventListener('abort', leave);
  try {
    return await new Promise((resolve) => {
      // The end of the input also ends the line, and is not Enter.
      reader.once('line', (line) => resolve(input.readableEnded ? null : isTyped ? line : ''));
      reader.once('close', () => resolve(null));
      const show = () => {
        if (!isDumb) output.write(MARK_PASTES);
        reader.prompt(true);
      };
      // After Ctrl-Z and `fg`.
      reader.on('SIGCONT', show);
      show();
    });
  } finally {
    left.removeEventListener('abort', leave);
    input.off('keypress', onKey);
    reader.close();
    if (!isDumb) output.write(MARK_NO_PASTES);
  }
}
