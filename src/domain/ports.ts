import type { Visible } from './visible.ts';
import type { SourcePlace } from './resource.ts';

/** The variables of the environment. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Time. Injected, so that tests can replay runs and do not wait. */
export interface Clock {
  /** Wall clock, epoch milliseconds. */
  now(): number;
  /** Milliseconds that never run backwards. Only differences have a meaning. */
  monotonicMs(): number;
  /** Resolves after `ms`. Rejects with the signal's reason if it is aborted before. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Files at paths that the user typed. They may be anywhere, and may be pipes. */
export type TypedFiles = Pick<Files, 'readText' | 'exists' | 'writeAtomically'>;

/** The files of one workspace. Each method rejects with `path-outside` for a path or a link out of it. */
export interface Files {
  /** Rejects with a Node error (`code: 'ENOENT'` and so on). */
  readText(path: string): Promise<string>;
  /** Paths that match the globs, sorted, relative, with `/` between folders. */
  glob(patterns: readonly string[]): Promise<string[]>;
  /** Replaces the whole file at once. A reader sees the old bytes or the new ones, never a part. */
  writeAtomically(
    path: string,
    content: string | Uint8Array | AsyncIterable<Uint8Array>,
    options?: WriteOptions,
  ): Promise<void>;
  exists(path: string): Promise<boolean>;
  /** The path in the workspace with all links followed, with `/`. Its last parts may not exist. */
  leadsTo(path: string): Promise<string>;
  /** The nearest folder above that has this file, such as `../..`; null for none. Left out where nothing is above. */
  findAbove?(name: string): string | null;
  /** Takes the lock in this file; null while another process has it. Left out where only one process works. */
  tryLock?(path: string): Promise<Lock | null>;
}

/** The system frees it when the process ends, however it ends. */
export interface Lock {
  release(): void;
}

/** The git repository that the workspace is in, for files of CI at its root. */
export interface RepositoryFiles {
  /** The workspace's folder in it, with `/`. Empty for the root. */
  readonly folder: string;
  /** Names of the hosts of its remotes, such as `github.com`. */
  readonly hosts: readonly string[];
  /** The branch that a clone starts with, or else the one that is checked out. Null if neither is known. */
  readonly defaultBranch: string | null;
  /** Null if the file does not exist. Rejects with `path-outside` for a path that leads elsewhere by a link. */
  read(path: string): Promise<string | null>;
  write(path: string, text: string): Promise<void>;
}

export interface WriteOptions {
  /** True if only this user may read the file, even if it existed before. */
  readonly isPrivate?: boolean;
}

/** Large files, read in pieces and never in memory as a whole: uploads. */
export interface ByteFiles {
  /** Follows links. Rejects with a Node error (`code: 'ENOENT'`), or `path-outside`. */
  stat(path: string): Promise<FileFacts>;
  /**
   * The bytes from `start`, up to `length`, in pieces of about a megabyte of equal size except the last. The memory
   * of a piece is reused after two more were read.
   */
  readBytes(path: string, range: ByteRange): AsyncIterable<Uint8Array>;
}

export interface FileFacts {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  /** In bytes. */
  readonly size: number;
  /** Time of the last change, in epoch milliseconds with fractions. Another file at the same path has another time. */
  readonly changedMs: number;
  /** In a commit that has only a pointer of Git LFS: the `sha256:` of the file that it stands for. */
  readonly digest?: string;
}

/** In bytes. */
export interface ByteRange {
  readonly start: number;
  readonly length: number;
}

/** Bytes for one presigned URL of the object store. It does not have the API key. */
export interface PresignedPut {
  /** A secret: it allows anyone to write there. */
  readonly url: string;
  readonly contentType: string;
  /** Length of the body in bytes. */
  readonly length: number;
  /**
   * Read once, and only with a connection. The memory of a piece is reused, so it must be sent or copied before the
   * next but one is read.
   */
  readonly body: AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
}

export interface PutAnswer {
  readonly status: number;
  /** The header unchanged, with quotes, or null. */
  readonly etag: string | null;
  /** The beginning of the body, for messages about a refusal. */
  readonly bodyText: string;
}

/**
 * Puts bytes to a presigned URL. Any answer resolves, also a redirect, which is not followed. Rejects if the
 * connection or the body fails, or with the signal's reason.
 */
export type PutBytes = (put: PresignedPut) => Promise<PutAnswer>;

/** Thrown if the reader of the output has closed it, as `| head` does. */
export class ReaderGoneError extends Error {
  override readonly name = 'ReaderGoneError';
  constructor() {
    super('the reader of the output has closed it');
  }
}

export interface Question {
  readonly text: Visible;
  /** On the line where the answer is typed. It names what a yes is. */
  readonly prompt: Visible;
  /** The answer that means yes, in lower case. Every other one means no. */
  readonly wanted: string;
}

/** The origins that this user trusts with the API key. Saved outside of every workspace. */
export interface TrustedOrigins {
  /** Their file, for messages. */
  readonly path: string;
  list(): Promise<readonly string[]>;
  replace(origins: readonly string[]): Promise<void>;
}

/** Error code of a request that failed before its first byte: it was certainly not sent. */
export const NEVER_SENT_CODE = 'HERALD_NEVER_SENT';

/** A finding that a CI shows on a line of a file. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  /** The path is relative to the workspace. Null if it belongs to no line. */
  readonly place: SourcePlace | null;
}

/** Prints results to stdout and everything else to stderr. Takes only visible text. */
export interface Output {
  result(text: Visible): void;
  /** Prints a piece of a long result. Resolves when the reader takes more. Rejects with `ReaderGoneError`. */
  stream(text: Visible): Promise<void>;
  /** Prints a binary result. Resolves and rejects as `stream` does. */
  bytes(bytes: Uint8Array): Promise<void>;
  say(text: Visible): void;
  /** Replaces this secret by `***` in all later output. Texts of under 8 characters are not replaced. */
  hide(secret: string): void;
  /** The text without these secrets, for what leaves the process by another way: a file, a comment, a status. */
  masked(text: string): string;
  /** Prints an error to stderr, also with `--quiet`. */
  fail(text: Visible): void;
  /** Shows a finding on its line of a file. Undefined where no CI shows one. */
  readonly annotate?: (annotation: Annotation) => void;
  /** Replaces the progress line. Does nothing if stderr is not a terminal. */
  progress(text: Visible | ''): void;
  readonly isTerminal: boolean;
  readonly colour: boolean;
  /** Columns of the terminal. Infinity if stdout is not one, so that lines are not broken. */
  readonly width: number;
}

export interface SendHooks {
  readonly writes: boolean;
  /**
   * Call right before the first byte is sent. Throws if that is too late. Then nothing must be written, and the
   * request fails with that error.
   */
  readonly leaves: () => void;
}

/**
 * Sends a request: over a socket, or to the simulator in this process. An error with the code `NEVER_SENT_CODE`, or of a system
 * call that connects, says that nothing was sent. After any other error, the request may have been carried out.
 */
export type Fetch = (request: Request, departure: SendHooks) => Promise<Response>;

/** HTTP to other sites: they never get the API key. A redirect is an answer, and is not followed. */
export type WebFetch = (url: string, init: RequestInit) => Promise<Response>;

/** The workspace in a commit, to read. Links and submodules count as absent, so they lead nowhere. */
export interface CommitTree {
  readonly files: Files;
  readonly bytes: ByteFiles;
}

/** `irregular`: a link, a folder or a submodule has the path of the file, or of a folder above it. */
export type FileAt =
  { readonly kind: 'regular'; readonly text: string } | { readonly kind: 'absent' | 'irregular' };

/** The git repository that the workspace is in. Every method rejects with a `git-…` error. Its message never has the password of an address. */
export interface Repository {
  /** The folder of the workspace in the repository, with `/`. Empty at its top. */
  readonly folder: string;
  /** The full id of a commit that is here; null if it is not. Takes an id, a branch or `HEAD`. */
  commitOf(revision: string): Promise<string | null>;
  /** The ids of its parents, which may not be here. Two or more for a merge. */
  parentsOf(commit: string): Promise<readonly string[]>;
  /** Fetches a commit by its id. Does nothing if it is here. */
  fetchCommit(commit: string): Promise<void>;
  /** The tip of a branch of the remote, which is asked and fetched. Null takes the one that is checked out, or the remote's default. */
  remoteTip(branch: string | null): Promise<{ readonly branch: string; readonly commit: string }>;
  /** The last commit that two have in common, null if there is none. Fetches what a shallow clone misses. */
  mergeBase(left: string, right: string): Promise<string | null>;
  /** True if the newer commit has the older one in its history, or is it. Fetches what a shallow clone misses. */
  isAncestor(older: string, newer: string): Promise<boolean>;
  /**
   * What a branch got since an older commit, newest first: along the first parents, the commits that the older one does not
   * have in its history. At most `max`. Fetches what a shallow clone misses.
   */
  commitsSince(older: string, newer: string, max: number): Promise<readonly string[]>;
  treeOf(commit: string): Promise<CommitTree>;
  /** A file in the folder of the workspace as a commit has it. A link or a submodule is not absent here. */
  fileAt(commit: string, path: string): Promise<FileAt>;
}
