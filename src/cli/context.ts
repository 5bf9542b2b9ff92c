import type { Visible } from '../domain/visible.ts';
import type { SharedState } from '../domain/ledger-store.ts';
import type { ByteFiles, Clock, Fetch, Files, Output, TrustedOrigins, TypedFiles } from '../domain/ports.ts';

/** Everything a command needs from the outside world, wired once in `cli.ts`. */
export interface Context {
  readonly clock: Clock;
  readonly files: Files;
  readonly state: SharedState;
  readonly bytes: ByteFiles;
  /** Files at paths that the person typed, which may stand anywhere. */
  readonly typed: { readonly files: TypedFiles; readonly bytes: ByteFiles };
  readonly output: Output;
  readonly trusted: TrustedOrigins;
  /** Stands in for the network; requests go over sockets where it is missing. */
  readonly network?: Fetch;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Aborted by the first interrupt that arrives inside `protect`. */
  readonly interrupted: AbortSignal;
  /** Runs work that an interrupt must let finish its call in flight; elsewhere an interrupt ends the process. `onInterrupt` is said at the first one. */
  readonly protect: <Result>(work: () => Promise<Result>, onInterrupt?: string) => Promise<Result>;
  /** Told right before something is changed, which a result that is lost later does not undo. */
  readonly onChange?: () => void;
  /** Whether a question can be asked and answered. */
  readonly interactive: boolean;
  /** Asks a yes-or-no question on the terminal; rejects with `QuestionLeftError` when nobody answers it. */
  readonly confirm: (question: Visible) => Promise<boolean>;
  /** All of standard input as text. */
  readonly readInput: () => Promise<string>;
  /** Who runs Herald and a name for this run, for the ledger. */
  readonly identity: { readonly run: string; readonly who: string };
  /** Of the Node that runs this, as it says it: `v20.20.2`. */
  readonly nodeVersion: string;
  readonly flags: GlobalFlags;
}

/** The flags that every command takes. */
export interface GlobalFlags {
  readonly format: string | undefined;
  readonly verbose: boolean;
  readonly apiKeyFile: string | undefined;
}
