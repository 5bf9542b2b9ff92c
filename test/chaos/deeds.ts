import { isRunning } from './declare.ts';
import { keyOf, type Live } from './live.ts';
import type { Before } from './scenario.ts';
import type { Chaos } from './state.ts';

type Stop = Extract<Before, { readonly slot: number }>['stop'];

/** What each verb makes of a status. */
export const STATUS_OF = {
  pause: 'paused',
  archive: 'archived',
  activate: 'active',
  resume: 'queued',
  unsend: 'unsend',
} as const;
type Verb = keyof typeof STATUS_OF;

export function isStop(verb: Verb): boolean {
  return verb === 'pause' || verb === 'archive';
}

/** What can be asked of it as it is now; null for nothing. */
export function verbOf({ kind, status }: Live, stop: Stop): Verb | null {
  const isOn = isRunning(status);
  if (stop === 'unsend') return isOn || status === 'paused' ? 'unsend' : null;
  if (stop === 'start') return status === 'paused' ? (kind === 'campaign' ? 'activate' : 'resume') : null;
  if (stop === 'archive' && kind === 'campaign') return isOn || status === 'paused' ? 'archive' : null;
  return isOn ? 'pause' : null;
}

/** In the service itself. */
export function outside(
  { simulator: { control }, past }: Pick<Chaos, 'simulator' | 'past'>,
  object: Live,
  verb: Exclude<Verb, 'unsend'>,
): void {
  const { accountId, kind, id } = object;
  const status = verb === 'resume' ? 'scheduled' : STATUS_OF[verb];
  if (kind === 'campaign') control.editCampaign(accountId, id, { status });
  else control.editBroadcast(accountId, id, { status });
  if (isStop(verb)) past.stopped.set(keyOf(object), 'outside');
  else past.stopped.delete(keyOf(object));
}
