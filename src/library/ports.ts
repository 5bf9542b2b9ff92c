import type { ApplyUploadPorts } from '../acts/upload/for-apply.ts';
import type { RateBudget } from '../api/limiter.ts';
import type { ByteFiles, Clock, Fetch, Files } from '../domain/ports.ts';
import type { RunEvent } from '../engine/run.ts';
import type { EventStore } from '../events/store.ts';
import type { StateAccess } from './state-access.ts';

/** What the commands and runs of a workspace use of the program around them. */
export interface WorkspacePorts {
  readonly clock: Clock;
  readonly files: Files;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Replaces the network. Without it, requests use sockets. */
  readonly network?: Fetch;
  /**
   * Permission to send, in place of that of Herald. `share` is the part of every published rate that the
   * workspace uses.
   */
  readonly rateBudget?: (share: number) => RateBudget;
  /** The API key, or undefined. Called once, and not for an embedded simulator. */
  readonly readKey: () => Promise<string | undefined>;
  /** True if the operator allows this origin to get the key. Called if only herald.yaml names it. */
  readonly mayReceiveKey: (origin: string) => Promise<boolean>;
  /** Called right before a request that changes something is sent. */
  readonly onWrite?: () => void;
  /** Called with a line for each request, without secrets. */
  readonly log?: (line: string) => void;
  readonly bytes: ByteFiles;
  readonly state: StateAccess;
  /** The events that a receiver has stored. */
  readonly events: EventStore;
  /** Aborted by the first interrupt: the request in flight ends, and no other begins. */
  readonly interrupted: AbortSignal;
  /** Runs work that changes something. A program may hold back an interrupt until the request in flight has ended. */
  readonly protect: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** How long a run waits for the lease of another one, in milliseconds. */
  readonly lockTimeoutMs: number;
  /** Called with the progress of a run. It must return immediately. */
  readonly report: (event: RunEvent) => void;
  /** Shows the progress of uploads. */
  readonly followUpload: ApplyUploadPorts['follow'];
}
