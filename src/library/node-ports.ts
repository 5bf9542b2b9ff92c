import { workspaceBytes } from '../host/bytes.ts';
import { systemClock } from '../host/clock.ts';
import { confinedTo } from '../host/confined.ts';
import { fileEventStore } from '../host/file-event-store.ts';
import { fileState } from '../host/file-state.ts';
import { workspaceFiles } from '../host/files.ts';
import { gitRemotes } from '../host/git-remotes.ts';
import { newRunId } from '../host/run-id.ts';
import { thisProcess } from '../host/self.ts';
import type { WorkspacePorts } from './open.ts';

interface NodePorts extends Pick<
  WorkspacePorts,
  'clock' | 'files' | 'state' | 'bytes' | 'events' | 'random' | 'identity'
> {
  /** For others who wait for the lease: `process 4711 on laptop`. */
  readonly processName: string;
  /** What git says of the folder. */
  readonly remotes: () => readonly string[];
}

/** Ports on Node, for the workspace in one directory. */
export function nodePorts(directory: string): NodePorts {
  const place = confinedTo(directory);
  const startedMs = systemClock.now();
  const self = thisProcess(startedMs);
  return {
    clock: systemClock,
    files: workspaceFiles(directory, place),
    state: fileState(directory, self, undefined, place),
    events: fileEventStore(place, systemClock),
    bytes: workspaceBytes(directory, place),
    random: Math.random,
    remotes: () => gitRemotes(directory),
    processName: `process ${self.pid} on ${self.host}`,
    identity: { run: newRunId(startedMs, Math.random), who: 'library' },
  };
}
