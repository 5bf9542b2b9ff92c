import type { Change, Outcome, OutcomeKind } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';
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

/**
 * Why a start is not sent: a change that had to stop the same content first did not succeed, or a broadcast with it had
 * begun to go out before its pause arrived. Null if all is stopped. The words hold after later rounds as well.
 */
export function stillSending(
  stops: readonly Change[] = [],
  outcomes: ReadonlyMap<Change, Outcome>,
  { gone }: Pick<FreshList, 'gone'>,
): string | null {
  for (const stop of stops) {
    const what = (id: string | null) =>
      `Nothing was sent, because ${id ?? 'an object'} of ${formatAddress(stop.address)} has the same content`;
    if (!SUCCEEDED.includes(outcomes.get(stop)?.outcome))
      return `${what(stop.live_id)}, and its change had not succeeded by then. Fans could get it twice. Once that change has succeeded, run "herald apply" again.`;
    const begun = stop.action === 'recall' ? undefined : pausedBy(stop).find((id) => gone.has(id));
    if (begun !== undefined)
      return `${what(begun)} and had begun to go out before it was paused. The fans that it has reached would get it twice. To see both ways on: herald plan`;
  }
  return null;
}

function pausedBy({ steps }: Change): readonly string[] {
  return steps.flatMap(({ kind, live_id: id }) => (kind === 'pause' && id !== null ? [id] : []));
}
