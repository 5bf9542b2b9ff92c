import { hostname } from 'node:os';
import { pid } from 'node:process';
import { openEventStore } from '../events/store.ts';
import { workspaceBytes } from '../host/bytes.ts';
import { systemClock } from '../host/clock.ts';
import { confinedTo } from '../host/confined.ts';
import { workspaceFiles } from '../host/files.ts';
import { runGit } from '../host/git-process.ts';
import { gitRemotes } from '../host/git-remotes.ts';
import { newRunId } from '../host/run-id.ts';
import type { WorkspacePorts } from './open.ts';
import { stateAccess } from './state-access.ts';

interface NodePorts extends Pick<
  WorkspacePorts,
  'clock' | 'files' | 'state' | 'bytes' | 'events' | 'random'
> {
  /** What git says of the folder. */
  readonly remotes: () => readonly string[];
}

/** Ports on Node, for the workspace in one directory. `who` is the user, for the state. */
export function nodePorts(
  directory: string,
  { who, env }: { readonly who: string; readonly env: Readonly<Record<string, string | undefined>> },
): NodePorts {
  const place = confinedTo(directory);
  const files = workspaceFiles(directory, place);
  const state = stateAccess({
    clock: systemClock,
    files,
    directory,
    env,
    identity: { run: newRunId(systemClock.now(), Math.random), who },
    process: `process ${pid} on ${hostname()}`,
    git: async (args, input) => {
      const end = await runGit({ directory, env }, args, input);
      return { ...end, stdout: end.stdout.toString('utf8') };
    },
  });
  return {
    clock: systemClock,
    files,
    state,
    events: openEventStore({ location: () => state.location(), directory, clock: systemClock }),
    bytes: workspaceBytes(directory, place),
    random: Math.random,
    remotes: () => gitRemotes(directory),
  };
}
