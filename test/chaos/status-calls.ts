import { isRunning } from './declare.ts';
import type { Live } from './live.ts';
import type { Verb } from './shape.ts';

/** What each call makes of a status. */
export const STATUS_OF = {
  pause: 'paused',
  archive: 'archived',
  activate: 'active',
  resume: 'queued',
  unsend: 'unsend',
} as const;
export type Call = keyof typeof STATUS_OF;

/** What can be asked of an object as it is now; null for nothing. */
export function callOf({ kind, status }: Live, verb: Verb): Call | null {
  const isOn = isRunning(status);
  if (verb === 'recall') return isOn || status === 'paused' ? 'unsend' : null;
  if (verb === 'start') return status === 'paused' ? (kind === 'campaign' ? 'activate' : 'resume') : null;
  if (verb === 'archive' && kind === 'campaign') return isOn || status === 'paused' ? 'archive' : null;
  return isOn ? 'pause' : null;
}
