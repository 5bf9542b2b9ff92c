/** Time, injected so that runs can be replayed and a long wait costs a test nothing. */
export interface Clock {
  /** Wall clock, epoch milliseconds. */
  now(): number;
  /** Milliseconds that never run backwards; only differences mean something. */
  monotonicMs(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The files of one workspace. Paths are relative to its directory unless absolute. */
export interface Files {
  /** Rejects with a Node error (`code: 'ENOENT'` and so on). */
  readText(path: string): Promise<string>;
  /** Paths that match the globs, sorted, relative, with `/` between folders. */
  glob(patterns: readonly string[]): Promise<string[]>;
  /** Replaces the whole file at once: a reader sees the old bytes or the new ones, never a part. */
  writeAtomically(path: string, text: string): Promise<void>;
  exists(path: string): Promise<boolean>;
  /** A file that lines are added to; each is on the disk before `append` resolves. */
  openForAppend(path: string): Promise<AppendFile>;
  /** Takes the lock beside `path`; rejects with `LockHeldError` when another run has it. */
  lock(path: string): Promise<() => Promise<void>>;
}

export interface AppendFile {
  append(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Thrown by `Files.lock`; `holder` says who has it, as far as it is known. */
export class LockHeldError extends Error {
  override readonly name = 'LockHeldError';
  readonly holder: string;
  constructor(path: string, holder: string) {
    super(`${path} is locked by ${holder}`);
    this.holder = holder;
  }
}

/** Where words go: results to stdout, everything else to stderr. */
export interface Output {
  result(text: string): void;
  /** A result that is no text, as it arrives. */
  bytes(stream: AsyncIterable<Uint8Array>): Promise<void>;
  say(text: string): void;
  /** What went wrong: to stderr, whatever `--quiet` says. */
  fail(text: string): void;
  /** Replaces the last progress line; does nothing where stderr is no terminal. */
  progress(text: string): void;
  readonly isTerminal: boolean;
  readonly colour: boolean;
  /** Columns of the terminal, 80 where it is none. */
  readonly width: number;
}
