import { ReaderGoneError, type Output } from '../domain/ports.ts';

/** A stream that is written to, such as `process.stdout`. */
export interface TextStream {
  /** False asks the writer to wait for `drain`. */
  write(text: string | Uint8Array): unknown;
  on?(event: 'drain' | 'error' | 'close', listener: (error?: Error) => void): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface OutputOptions {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** `--no-color` or NO_COLOR. */
  readonly noColour: boolean;
  readonly quiet: boolean;
  /** Called once, when a result that streams turns out to be long. */
  readonly onLongStream?: () => void;
}

const DEFAULT_WIDTH = 80;
/** One piece may be all there is; with a second one there may be thousands. */
const LONG_STREAM_PIECES = 2;
const CLEAR_LINE = '\r\u001b[2K';

/** Results go to stdout, words about the run to stderr; progress is one line that is written over. */
export function createOutput({
  stdout,
  stderr,
  noColour,
  quiet,
  onLongStream = () => undefined,
}: OutputOptions): Output {
  let progressShown = false;
  let pieces = 0;
  // Some terminals say that they have 0 columns when they do not know.
  const columnsOf = ({ columns = 0 }: TextStream) => (columns > 0 ? columns : DEFAULT_WIDTH);
  const toReader = inTurn(stdout);
  const clear = () => {
    if (progressShown) stderr.write(CLEAR_LINE);
    progressShown = false;
  };
  return {
    result: (text) => {
      clear();
      stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    },
    stream: (text) => {
      pieces += 1;
      if (pieces === LONG_STREAM_PIECES) onLongStream();
      clear();
      return toReader(text);
    },
    bytes: async (stream) => {
      clear();
      for await (const piece of stream) await toReader(piece);
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
      stderr.write(text.slice(0, columnsOf(stderr) - 1));
      progressShown = true;
    },
    isTerminal: stdout.isTTY === true,
    // One answer for both streams: text with colour may go to either.
    colour: stdout.isTTY === true && stderr.isTTY === true && !noColour,
    width: columnsOf(stdout),
  };
}

/** Writes piece after piece and waits while the reader is behind, so that nothing piles up here. */
function inTurn(stream: TextStream): (piece: string | Uint8Array) => Promise<void> {
  let watched = false;
  let broken: Error | null = null;
  let wake: () => void = () => undefined;
  const watch = () => {
    watched = true;
    const breakWith = (error?: Error) => {
      broken ??= error === undefined || isGone(error) ? new ReaderGoneError() : error;
      wake();
    };
    stream.on?.('error', breakWith);
    stream.on?.('close', breakWith);
    stream.on?.('drain', () => wake());
  };
  return async (piece) => {
    if (!watched) watch();
    if (broken !== null) throw broken;
    if (stream.write(piece) !== false || stream.on === undefined) return;
    await new Promise<void>((resolve) => (wake = resolve));
    if (broken !== null) throw broken;
  };
}

function isGone(error: Error): boolean {
  return 'code' in error && error.code === 'EPIPE';
}
