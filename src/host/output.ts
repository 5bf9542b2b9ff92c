import { ReaderGoneError, type Annotation, type Env, type Output } from '../domain/ports.ts';
import { holdsSecret, SecretMask } from '../domain/secret.ts';
import { harmless, visible, visibleProse } from '../domain/visible.ts';
import { relative, resolve } from 'node:path';

export interface TextStream {
  /** False asks the writer to wait for `drain`. */
  write(text: string | Uint8Array): unknown;
  on?(event: 'drain' | 'error' | 'close', listener: (error?: Error) => void): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

interface OutputOptions {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** Of the process. Its secrets are in no output. It says what the terminal can do, and whether this is a job of GitHub. */
  readonly env?: Env;
  /** Of the workspace, for the files that annotations name. */
  readonly directory?: string;
  /** `--no-color`. NO_COLOR says the same. */
  readonly noColour: boolean;
  readonly quiet: boolean;
}

/** Where the terminal does not know its width: some say 0 columns then. */
const DEFAULT_WIDTH = 80;

/** Below this nothing can be read; a narrower terminal breaks the lines itself. */
const WIDTH_MIN = 20;

const CLEAR_LINE = '\r\u001b[2K';

/** Results go to stdout, words about the run to stderr; progress is one line that is written over. */
export function createOutput(options: OutputOptions): Output {
  const { stdout, stderr, quiet, noColour, env = {}, directory = '.' } = options;
  const { NO_COLOR: declined = '', FORCE_COLOR: forced = '', TERM: terminal } = env;
  // The terminal can do no more than print: nothing is written over, and nothing has colour.
  const isDumb = terminal === 'dumb';
  const annotation = gitHubAnnotations(env, directory);
  let isMidLine = false;
  const toReader = writeInTurn(stdout);
  // Written over, a line that a result has begun would be lost to the eye.
  const line = progressLine(stderr, () => !isMidLine);
  const secrets = new SecretMask();
  for (const secret of secretsIn(env)) secrets.add(secret);
  // One answer for both streams, because text with colour may go to either.
  const areColoured = stdout.isTTY === true && stderr.isTTY === true && !isDumb;
  // FORCE_COLOR asks for it also without a terminal.
  const isForced = !['', '0', 'false'].includes(forced);
  const colour = !noColour && declined === '' && (isForced || areColoured);
  // Whatever a renderer has overlooked: no secret, no escape sequence and no runner command leaves this process.
  const printable = (said: string) => harmless(secrets.hideIn(said), colour);
  const printLines = (stream: TextStream) => (said: string) => {
    const text = printable(said);
    line.end();
    stream.write(text.endsWith('\n') ? text : `${text}\n`);
  };
  const speak = printLines(stderr);
  // A command with everything in it escaped, so it must not be made harmless.
  const annotate = (draw: DrawAnnotation) => (one: Annotation) => {
    const [title, message] = [secrets.hideIn(one.title), secrets.hideIn(one.message)];
    stderr.write(`${draw({ ...one, title, message })}\n`);
  };
  return {
    hide: (secret) => secrets.add(secret),
    masked: (text) => secrets.hideIn(text),
    result: printLines(stdout),
    stream: (said) => {
      const text = printable(said);
      line.end();
      isMidLine = stdout.isTTY === true && !text.endsWith('\n');
      return toReader(text);
    },
    bytes: (bytes) => {
      line.end();
      return toReader(bytes);
    },
    say: (text) => {
      if (!quiet) speak(text);
    },
    fail: speak,
    ...(annotation === undefined || quiet ? {} : { annotate: annotate(annotation) }),
    progress: (text) => {
      // Whether stderr is a terminal is asked when there is something to show: many runs never open it.
      if (!quiet && !isDumb && stderr.isTTY === true) line.show(visible(secrets.hideIn(text)));
    },
    isTerminal: stdout.isTTY === true,
    colour,
    // A file or a pipe has no width, and a line that is broken there may begin with any word.
    width: stdout.isTTY === true ? Math.max(WIDTH_MIN, readColumns(stdout)) : Number.POSITIVE_INFINITY,
  };
}

/** One line that is written over. `isFree` is false while something else is on it. */
function progressLine(stderr: TextStream, isFree: () => boolean) {
  let shown = '';
  const end = () => {
    if (shown !== '') stderr.write(CLEAR_LINE);
    shown = '';
  };
  const show = (text: string) => {
    const line = cutToWidth(text, readColumns(stderr) - 1);
    if (line === shown || !isFree()) return;
    end();
    if (line !== '') stderr.write(line);
    shown = line;
  };
  return { show, end };
}

/** What fits for sure: a line that wraps could not be written over. Anything but plain text may take two columns. */
function cutToWidth(text: string, columns: number): string {
  let used = 0;
  let units = 0;
  for (const character of text) {
    used += /[ -~]/.test(character) ? 1 : 2;
    if (used > columns) break;
    units += character.length;
  }
  return text.slice(0, units);
}

function readColumns({ columns = 0 }: Pick<TextStream, 'columns'>): number {
  return columns > 0 ? columns : DEFAULT_WIDTH;
}

/** Writes piece after piece and waits while the reader is behind, so that nothing piles up here. */
function writeInTurn(stream: TextStream): (piece: string | Uint8Array) => Promise<void> {
  let watched = false;
  let broken: Error | null = null;
  let wake: () => void = () => undefined;
  const watch = () => {
    watched = true;
    const breakWith = (error?: Error) => {
      const isGone = error === undefined || ('code' in error && error.code === 'EPIPE');
      broken ??= isGone ? new ReaderGoneError() : error;
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

/** Draws an annotation as a line that the CI takes as a command. */
type DrawAnnotation = (annotation: Annotation) => string;

/** Annotations as GitHub reads them. `directory` is the workspace; paths are relative to the repository. */
function gitHubAnnotations(env: Env, directory: string): DrawAnnotation | undefined {
  if (env['GITHUB_ACTIONS'] !== 'true') return undefined;
  const repository = env['GITHUB_WORKSPACE'] ?? directory;
  return ({ level, title, message, place }) => {
    const file = relative(repository, resolve(directory, place?.file ?? '')).replaceAll('\\', '/');
    const at = place === null ? '' : `file=${escapeProperty(file)},line=${place.line},col=${place.column},`;
    return `::${level} ${at}title=${escapeProperty(title)}::${escapeData(message)}`;
  };
}

/** Text of a command, in one line: a line break would end it, and the text behind it could begin another one. */
function escapeData(text: string): string {
  return visibleProse(text).replaceAll('%', '%25');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** The secrets in variables of Herald and of the job. Those of other programs never come to Herald. */
function secretsIn(env: Env): readonly string[] {
  return Object.entries(env).flatMap(([name, value = '']) =>
    /^(?:HERALD|GITHUB|GH|GITLAB|CI|ACTIONS)_/.test(name) && holdsSecret(name, value) ? [value] : [],
  );
}
