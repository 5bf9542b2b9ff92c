import type { Visible } from './visible.ts';

/** Time, injected so that runs can be replayed and a long wait costs a test nothing. */
export interface Clock {
  /** Wall clock, epoch milliseconds. */
  now(): number;
  /** Milliseconds that never run backwards; only differences mean something. */
  monotonicMs(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * A path that files of the workspace name, or one of Herald's own, leads to where nothing is read or written: outside
 * the workspace, into a folder such as .git, to a device. Its message says so; `path` is as it was written.
 */
export class RefusedPathError extends Error {
  override readonly name = 'RefusedPathError';
  readonly code = 'path-outside';
}

/** Files at paths that a person typed, as flags or arguments: they may stand anywhere, and be pipes. */
export type TypedFiles = Pick<Files, 'readText' | 'exists' | 'writeAtomically'>;

/**
 * The files of one workspace, and nothing beside it: every method rejects with `RefusedPathError` for a path that leads
 * out of it, by itself or by a link.
 */
export interface Files {
  /** Rejects with a Node error (`code: 'ENOENT'` and so on). */
  readText(path: string): Promise<string>;
  /** Paths that match the globs, sorted, relative, with `/` between folders. */
  glob(patterns: readonly string[]): Promise<string[]>;
  /** Replaces the whole file at once: a reader sees the old bytes or the new ones, never a part. */
  writeAtomically(
    path: string,
    content: string | AsyncIterable<Uint8Array>,
    options?: WriteOptions,
  ): Promise<void>;
  exists(path: string): Promise<boolean>;
  /** The path from the workspace's directory with every link followed, with `/`; the last parts need not be there. */
  leadsTo(path: string): Promise<string>;
}

export interface WriteOptions {
  /** Whether only this user may read the file, also where another one stood there before. */
  readonly isPrivate?: boolean;
}

/** Large files, whose bytes pass through and are never held: uploads and downloads. */
export interface ByteFiles {
  /** What stands at the path, links followed. Rejects with a Node error (`code: 'ENOENT'`), or `RefusedPathError`. */
  stat(path: string): Promise<FileFacts>;
  /**
   * The bytes from `start` on, `length` of them or fewer where the file ends, in pieces of about a megabyte, all but
   * the last of one size. A piece is lent: its memory is written over once two more have been asked for.
   */
  readBytes(path: string, range: ByteRange): AsyncIterable<Uint8Array>;
  /** Replaces the whole file by what arrives; a stream that breaks leaves no part behind, and rejects. */
  writeBytes(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
}

export interface FileFacts {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  /** In bytes. */
  readonly size: number;
  /** When the file was last changed, epoch milliseconds with fractions; another file in its place has another time. */
  readonly changedMs: number;
}

/** In bytes. */
export interface ByteRange {
  readonly start: number;
  readonly length: number;
}

/** Bytes for one presigned address of the object store. The service's key is no part of it. */
export interface PresignedPut {
  /** A secret: whoever has it can write there. */
  readonly url: string;
  readonly contentType: string;
  /** Of the body, in bytes. */
  readonly length: number;
  /**
   * Read once; nothing is read from it where no connection came to be. Its pieces are lent: each has left this process,
   * or been copied, before the next but one is asked for.
   */
  readonly body: AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
}

export interface PutAnswer {
  readonly status: number;
  /** The header as it came, quotes included; null when there is none. */
  readonly etag: string | null;
  /** The beginning of the body, for messages about a refusal. */
  readonly bodyText: string;
}

/**
 * Puts bytes to a presigned address; any answer resolves. Rejects when the line breaks, when the body does, or with
 * the signal's reason. A redirect is an answer like any other and is never followed.
 */
export type PutBytes = (put: PresignedPut) => Promise<PutAnswer>;

/** Thrown where a result goes on and nobody reads it any more, as after `| head`. */
export class ReaderGoneError extends Error {
  override readonly name = 'ReaderGoneError';
  constructor() {
    super('nobody reads the result any more');
  }
}

/** Nobody answered a question, neither yes nor no. */
export class QuestionLeftError extends Error {
  override readonly name = 'QuestionLeftError';
  constructor() {
    super('nobody answered the question');
  }
}

/** The origins that the person at this machine lets receive the API key, kept outside of every workspace. */
export interface TrustedOrigins {
  /** The file that they are kept in, for messages. */
  readonly path: string;
  list(): Promise<readonly string[]>;
  replace(origins: readonly string[]): Promise<void>;
}

/** The code of the error with which a transport reports that it found no connection: DNS, TCP, TLS, time-out. */
export const NEVER_CONNECTED_CODE = 'HERALD_NEVER_CONNECTED';

/** Marks the error of a request that was given up before its first byte, because it had waited for too long. */
export const LEFT_TOO_LATE_CODE = 'HERALD_LEFT_TOO_LATE';

/** Marks an error of the program itself that came before the first byte: the request was certainly not sent. */
export const FAILED_BEFORE_SENDING_CODE = 'HERALD_FAILED_BEFORE_SENDING';

/** Where words go: results to stdout, everything else to stderr. It takes only text that was made visible. */
export interface Output {
  result(text: Visible): void;
  /** A piece of a long result, as it is; resolves once the reader takes more. Rejects with `ReaderGoneError`. */
  stream(text: Visible): Promise<void>;
  /** A result that is no text, as it arrives. */
  bytes(stream: AsyncIterable<Uint8Array>): Promise<void>;
  say(text: Visible): void;
  /** A secret that no output may show from now on: it becomes `***`. Texts of under 8 characters are left alone. */
  hide(secret: string): void;
  /** What went wrong: to stderr, whatever `--quiet` says. */
  fail(text: Visible): void;
  /** Replaces the last progress line; does nothing where stderr is no terminal. */
  progress(text: Visible | ''): void;
  /** Passes an answer on, and says on the progress line when it has been awaited for more than a second. */
  awaiting<Result>(answer: Promise<Result>): Promise<Result>;
  readonly isTerminal: boolean;
  readonly colour: boolean;
  /** Columns of the terminal; Infinity where stdout is none, so that no line is broken. */
  readonly width: number;
}

/** What sends a request has to know of it. */
export interface Departure {
  readonly writes: boolean;
  /**
   * To be called right before the first byte leaves. It throws when that is too late: nothing must be written then, and
   * the request fails with what it threw.
   */
  readonly leaves: () => void;
}

/** Sends a request; the global `fetch` over a socket, the simulator's in process. */
export type Fetch = (request: Request, departure: Departure) => Promise<Response>;
