import type { ConnectPorts } from '../api/connect.ts';
import type { RateBudget } from '../api/limiter.ts';
import type { ByteFiles, Clock, Files } from '../domain/ports.ts';
import type { RunEvent } from '../engine/run.ts';
import { EventStore } from '../events/store.ts';
import { systemClock } from '../host/clock.ts';
import { confinedTo } from '../host/confined.ts';
import { workspaceFiles } from '../host/files.ts';
import { gitRepository } from '../host/git-remotes.ts';
import { type StateAccess, stateAccess, type StateAccessPorts } from './state-access.ts';
import type { ApplyUploadPorts } from '../acts/upload/upload.ts';

/** What the commands and runs of a workspace use of the program around them. */
export interface WorkspacePorts extends ConnectPorts {
  readonly clock: Clock;
  readonly files: Files;
  /** From 0 to 1. */
  readonly random: () => number;
  /**
   * Permission to send, in place of that of Herald. `share` is the part of every published rate that the
   * workspace uses.
   */
  readonly rateBudget?: (share: number) => RateBudget;
  /** Called right before a change that stays even if the result is lost later. */
  readonly onChange?: () => void;
  /** Called with a line for each request, without secrets. */
  readonly log?: (line: string) => void;
  readonly bytes: ByteFiles;
  readonly state: StateAccess;
  /** The events that a receiver has stored. */
  readonly events: Pick<EventStore, keyof EventStore>;
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

interface NodePlace extends Pick<StateAccessPorts, 'directory' | 'env' | 'process'> {
  /** The user, for the state. */
  readonly who: string;
  /** Its files may be anywhere. Left out: only in the directory. */
  readonly isFree?: boolean;
}

/** The ports of a workspace on Node: its files, its state and its events. Reads nothing yet. */
export function nodePorts({ directory, env, who, process, isFree = false }: NodePlace) {
  const clock = systemClock;
  const place = confinedTo(directory, isFree);
  const tryLock: Files['tryLock'] = async (path) => (await import('../state/sqlite.ts')).tryLock(place(path));
  const files = { ...workspaceFiles(directory, place), tryLock };
  // Sortable by time, and distinct between machines. Random UUIDs would load a library of ciphers.
  const chance = Math.random().toString(16).slice(2, 10).padEnd(8, '0');
  const identity = { run: `${new Date(clock.now()).toISOString().replace(/[-:.]/g, '')}-${chance}`, who };
  const git: StateAccessPorts['git'] = async (args, input) => {
    const { runGit } = await import('../host/git.ts');
    const end = await runGit({ directory, env }, args, input);
    return { ...end, stdout: end.stdout.toString('utf8') };
  };
  const state = stateAccess({ clock, files, directory, env, identity, process, git });
  return {
    clock,
    files,
    state,
    identity,
    events: new EventStore({ location: () => state.location(), directory, clock }),
    bytes: files,
    random: Math.random,
    remotes: () => gitRepository(directory)?.names ?? [],
  };
}
