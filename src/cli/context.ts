import type {
  ByteFiles,
  Output,
  Question,
  RepositoryFiles,
  TrustedOrigins,
  TypedFiles,
  Repository,
} from '../domain/ports.ts';
import type { WorkspacePorts } from '../library/ports.ts';

export interface InterruptWords {
  readonly first: string;
  readonly second: string;
}

/** What a run asks and tells: made of the rest, in `run-program.ts`. */
export type RunPorts = Pick<
  WorkspacePorts,
  'lockTimeoutMs' | 'readKey' | 'mayReceiveKey' | 'log' | 'report' | 'followUpload'
>;

/** What a command gets. It is a program of the library, so it has all that the library needs. */
export interface Context extends Surroundings, RunPorts {}

/** What a command needs from its environment. Made once, in `wiring.ts`. */
export interface Surroundings extends Omit<WorkspacePorts, keyof RunPorts> {
  /** Name of the workspace's folder. */
  readonly workspace: string;
  /** Files at paths that the user typed; they may be outside the workspace. */
  readonly typed: { readonly files: TypedFiles; readonly bytes: ByteFiles };
  readonly output: Output;
  readonly trusted: TrustedOrigins;
  /** Runs work in which an interrupt waits for the current request. Elsewhere it ends the process. */
  readonly protect: <Result>(work: () => Promise<Result>, words?: InterruptWords) => Promise<Result>;
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

/** The flags of every command. */
export interface GlobalFlags {
  readonly format?: string;
  readonly verbose: boolean;
  readonly apiKeyFile?: string;
  /** How long to wait for a lease that another run has, in milliseconds. Left out: the default. */
  readonly lockTimeout?: number;
  /** Directories of `-C`. Each is relative to the one before, the first to the working directory. */
  readonly chdir: readonly string[];
  readonly color: boolean;
  readonly quiet: boolean;
}
