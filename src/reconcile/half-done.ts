import { KIND_ROWS } from '../domain/kind.ts';
import type { Unconfirmed } from '../apply/close-open.ts';
import { formatAddress } from '../domain/resource.ts';
import type { Source } from './source.ts';

const VERBS = { active: 'activate', archived: 'archive', paused: 'pause' } as const satisfies Record<
  Unconfirmed['status'],
  string
>;

/** The possible missing effects of a visible change. */
const LACKS = {
  active: 'it may not react to its trigger yet',
  archived: 'its queue may still be sent',
  paused: 'it may still react to its trigger',
} as const satisfies Record<Unconfirmed['status'], string>;

/** The visible state, why it is not enough, and the command to repeat. */
export function halfDoneWords(change: Unconfirmed, { byHand }: Pick<Source, 'byHand'>): string {
  const { liveId, status, problem, isMoved } = change;
  const again = byHand === null ? 'herald apply' : byHandCommand(change);
  if (isMoved)
    return `${liveId} was ${status} in the list, but is ${problem} now, so Herald did not set it to ${status} again. Run "${again}" again: it decides by the live state.`;
  return `${liveId} is ${status}, but the service did not confirm the change (${problem}). It may be half done: ${LACKS[status]}. Run "${again}" again: it repeats the change.`;
}

function byHandCommand({ address, liveId, status }: Unconfirmed): string {
  return `herald ${KIND_ROWS[address.kind].plural} ${VERBS[status]} ${liveId} --account ${address.account}`;
}

/** The same, for a change of an earlier run, with its address. */
export function earlierHalfDone(change: Unconfirmed, source: Pick<Source, 'byHand'>): string {
  return `${formatAddress(change.address)}: ${halfDoneWords(change, source)}`;
}
