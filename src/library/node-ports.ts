import { workspaceBytes } from '../host/bytes.ts';
import { systemClock } from '../host/clock.ts';
import { confinedTo } from '../host/confined.ts';
import { fileState } from '../host/file-state.ts';
import { workspaceFiles } from '../host/files.ts';
import { newRunId } from '../host/run-id.ts';
import { thisProcess } from '../host/self.ts';
import type { WorkspacePorts } from './open.ts';

/** Ports on Node, for the workspace in one directory. */
export function nodePorts(
  directory: string,
): Pick<WorkspacePorts, 'clock' | 'files' | 'state' | 'bytes' | 'random' | 'identity'> {
  const place = confinedTo(directory);
  const startedMs = systemClock.now();
  return {
    clock: systemClock,
    files: workspaceFiles(directory, place),
    state: fileState(directory, thisProcess(startedMs), undefined, place),
    bytes: workspaceBytes(directory, place),
    random: Math.random,
    identity: { run: newRunId(startedMs, Math.random), who: 'library' },
  };
}
