import type { Output } from '../domain/ports.ts';

/** A stream that is written to, such as `process.stdout`. */
export interface TextStream {
  write(text: string | Uint8Array): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface OutputOptions {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** `--no-color` or NO_COLOR. */
  readonly noColour: boolean;
  readonly quiet: boolean;
}

const DEFAULT_WIDTH = 80;
const CLEAR_LINE = '\r\u001b[2K';

/** Results go to stdout, words about the run to stderr; progress is one line that is written over. */
export function createOutput({ stdout, stderr, noColour, quiet }: OutputOptions): Output {
  let progressShown = false;
  const clear = () => {
    if (progressShown) stderr.write(CLEAR_LINE);
    progressShown = false;
  };
  return {
    result: (text) => {
      clear();
      stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    },
    bytes: async (stream) => {
      clear();
      for await (const piece of stream) stdout.write(piece);
    },
    say: (text) => {
      clear();
      if (!quiet) stderr.write(text.endsWith('\n') ? text : `${text}\n`);
    },
    fail: (text) => {
      clear();
      stderr.write(text.endsWith('\n') ? text : `${text}\n`);
    },
    progress: (text) => {
      if (quiet || stderr.isTTY !== true) return;
      clear();
      if (text === '') return;
      stderr.write(text.slice(0, (stderr.columns ?? DEFAULT_WIDTH) - 1));
      progressShown = true;
    },
    isTerminal: stdout.isTTY === true,
    // One answer for both streams: text with colour may go to either.
    colour: stdout.isTTY === true && stderr.isTTY === true && !noColour,
    width: stdout.columns ?? DEFAULT_WIDTH,
  };
}
