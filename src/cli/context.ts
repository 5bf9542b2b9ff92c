import type { EventStore } from '../events/store.ts';
import type { Repository } from '../domain/git.ts';
import type {
  ByteFiles,
  Clock,
  Fetch,
  Files,
  Output,
  Question,
  RepositoryFiles,
  TrustedOrigins,
  TypedFiles,
} from '../domain/ports.ts';
import type { StateAccess } from '../library/state-access.ts';

export interface InterruptWords {
  readonly first: string;
  readonly second: string;
}

/** Everything that a command needs from its environment. Created once, in `cli.ts`. */
export interface Context {
  readonly clock: Clock;
  readonly files: Files;
  /** Name of the workspace's folder. */
  readonly workspace: string;
  /** The state, where `herald.yaml` keeps it. */
  readonly state: StateAccess;
  /** The events, next to the state. */
  readonly events: EventStore;
  readonly bytes: ByteFiles;
  /** Files at paths that the user typed; they may be outside the workspace. */
  readonly typed: { readonly files: TypedFiles; readonly bytes: ByteFiles };
  readonly output: Output;
  readonly trusted: TrustedOrigins;
  /** Replaces the network in tests. Without it, requests use sockets. */
  readonly network?: Fetch;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Aborted by the first interrupt that arrives inside `protect`. */
  readonly interrupted: AbortSignal;
  /**
   * Runs work during which an interrupt waits for the current request. Elsewhere an interrupt ends the process.
   * `words` are printed at the first one, and at one that does not wait.
   */
  readonly protect: <Result>(work: () => Promise<Result>, words?: InterruptWords) => Promise<Result>;
  /** Called right before a change that stays even if the result is lost later. */
  readonly onChange?: () => void;
  /** True with a terminal on which a question can be answered. */
  readonly interactive: boolean;
  /** True for a yes on the terminal. Rejects with `QuestionLeftError` if the question is not answered. */
  readonly confirm: (question: Question) => Promise<boolean>;
  /** All of standard input as text. */
  readonly readInput: () => Promise<string>;
  /** The user, and a name for this run, for the state. */
  readonly identity: { readonly run: string; readonly who: string };
  /** What git says of the workspace: `owner/name:folder` for each remote. Tells its clones from other repositories. */
  readonly remotes: () => readonly string[];
  /** The repository that the workspace is in. Rejects with `git-…` where there is none. */
  readonly repository: () => Promise<Repository>;
  /** The files of the git repository around the workspace. Null without one. */
  readonly repositoryFiles: () => RepositoryFiles | null;
  /** Version of the running Node: `v20.20.2`. */
  readonly nodeVersion: string;
  readonly flags: GlobalFlags;
}

/** The flags that every command takes. */
export interface GlobalFlags {
  readonly format?: string;
  readonly verbose: boolean;
  readonly apiKeyFile?: string;
  /** How long to wait for a lease that another run has, in milliseconds. Left out: the default. */
  readonly lockTimeout?: number;
}
