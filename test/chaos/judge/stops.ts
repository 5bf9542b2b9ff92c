import { isRunning } from '../declare.ts';
import type { LastChange } from '../live.ts';
import type { Chaos } from '../state.ts';

/** Who stopped an object by its last change; null where it was not a person, or no stop. */
export function callsStop({ processes }: Chaos, change: LastChange): 'by hand' | 'outside' | null {
  if (isRunning(change.status)) return null;
  if (change.by === 'control') return 'outside';
  const process = processes.find(({ requests }) => change.request !== null && requests.has(change.request));
  if (process === undefined || process.run.command.kind === 'apply') return null;
  return 'by hand';
}
