import type { Change, Outcome, OutcomeKind, Step } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { formatAddress } from '../domain/resource.ts';
import { STATUS_TRAITS, statusOf } from '../domain/status.ts';
import type { FreshList } from './fresh-list.ts';

/** For a start, the changes that stop other objects with the same content. It begins only after they succeeded. */
export type StopsFirst = ReadonlyMap<Change, readonly Change[]>;

/** The same changes, each after those that stop its content elsewhere. A plan has none that wait for each other. */
export function inOrder(changes: readonly Change[], stopsFirst: StopsFirst): readonly Change[] {
  if (stopsFirst.size === 0) return changes;
  const here = new Set(changes);
  const begun = new Set<Change>();
  const ordered: Change[] = [];
  const add = (change: Change) => {
    if (begun.has(change) || !here.has(change)) return;
    begun.add(change);
    for (const stop of stopsFirst.get(change) ?? []) add(stop);
    ordered.push(change);
  };
  for (const change of changes) add(change);
  return ordered;
}

const SUCCEEDED: readonly (OutcomeKind | undefined)[] = ['applied', 'adopted'];

/** What speaks against a start, for which other changes had to stop the same content first. */
interface StoppedFirst {
  /** Why it is not sent whatever a list shows; null if all of them succeeded. */
  readonly unstopped: string | null;
  /** Why it is not sent by such a list; null if nothing speaks against it. */
  readonly sendsAgain: (list: Pick<FreshList, 'gone' | 'statusById'>) => string | null;
}

export function stoppedFirst(
  stops: readonly Change[] = [],
  outcomes: ReadonlyMap<Change, Outcome>,
): StoppedFirst {
  const unstopped = notStopped(stops, outcomes);
  return { unstopped, sendsAgain: (list) => (unstopped === null ? sendsAgain(stops, list) : null) };
}

/** The words hold after later rounds as well. */
function notStopped(stops: readonly Change[], outcomes: ReadonlyMap<Change, Outcome>): string | null {
  const failed = stops.find((stop) => !SUCCEEDED.includes(outcomes.get(stop)?.outcome));
  return failed === undefined
    ? null
    : `${hasTheSame(failed, failed.live_id)}, and its change had not succeeded by then. Fans could get it twice. Once that change has succeeded, run "${formatCommand('apply')}" again.`;
}

/**
 * A broadcast with the same content had begun to go out before its pause arrived, or someone has switched on again what was
 * stopped.
 */
function sendsAgain(
  stops: readonly Change[],
  { gone, statusById }: Pick<FreshList, 'gone' | 'statusById'>,
): string | null {
  for (const stop of stops) {
    const begun = stop.action === 'recall' ? undefined : stoppedBy(stop, 'pause').find((id) => gone.has(id));
    if (begun !== undefined)
      return `${hasTheSame(stop, begun)} and had begun to go out before it was paused. The fans that it has reached would get it twice. To see both ways on: ${formatCommand('plan')}`;
    const running = stoppedBy(stop, 'pause', 'archive').find((id) => runs(statusById.get(id)));
    if (running !== undefined)
      return `${hasTheSame(stop, running)} and was switched on again. Fans could get it twice. To see what to do: ${formatCommand('plan')}`;
  }
  return null;
}

function hasTheSame({ address }: Change, id: string | null): string {
  return `Not started, because ${id ?? 'an object'} of ${formatAddress(address)} has the same content`;
}

function runs(status: string | null | undefined): boolean {
  return status !== undefined && STATUS_TRAITS[statusOf({ status })].runs;
}

function stoppedBy({ steps }: Change, ...kinds: readonly Step['kind'][]): readonly string[] {
  return steps.flatMap(({ kind, live_id: id }) => (kinds.includes(kind) && id !== null ? [id] : []));
}
