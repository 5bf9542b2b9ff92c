import { openEventStore } from '../events/store.ts';
import { systemClock } from '../host/clock.ts';
import { confinedTo, type Place } from '../host/confined.ts';
import { workspaceBytes, workspaceFiles } from '../host/files.ts';
import { gitRemotes } from '../host/git-remotes.ts';
import { stateAccess } from './state-access.ts';

/** The workspace in one directory, and who works there. */
interface NodePlace {
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user, for the state. */
  readonly who: string;
  /** This process and its machine, for others that wait for the lease. */
  readonly process: string;
  /** Where its files may be. Left out: in the directory. */
  readonly place?: Place;
}

/** The ports of a workspace on Node: its files, its state and its events. Reads nothing yet. */
export function nodePorts({ directory, env, who, process, place = confinedTo(directory) }: NodePlace) {
  const files = workspaceFiles(directory, place);
  const identity = { run: newRunId(systemClock.now(), Math.random), who };
  const state = stateAccess({
    clock: systemClock,
    files,
    directory,
    env,
    identity,
    process,
    git: async (args, input) => {
      const { runGit } = await import('../host/git-process.ts');
      const end = await runGit({ directory, env }, args, input);
      return { ...end, stdout: end.stdout.toString('utf8') };
    },
  });
  return {
    clock: systemClock,
    files,
    state,
    identity,
    events: openEventStore({ location: () => state.location(), directory, clock: systemClock }),
    bytes: workspaceBytes(directory, place),
    random: Math.random,
    remotes: () => gitRemotes(directory),
  };
}

/** A name for one run: sortable by time, distinct between machines. `random` is from 0 to 1. */
function newRunId(nowMs: number, random: () => number): string {
  // Eight digits; random UUIDs would load a library of ciphers.
  const chance = random().toString(16).slice(2, 10).padEnd(8, '0');
  return `${new Date(nowMs).toISOString().replace(/[-:.]/g, '')}-${chance}`;
}
