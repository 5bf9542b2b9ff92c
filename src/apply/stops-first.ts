import type { Change, Outcome, OutcomeKind } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';

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

/** Why a start is not sent: a change that had to stop the same content first did not succeed. Null if all did. */
export function stillSending(
  stops: readonly Change[] = [],
  outcomes: ReadonlyMap<Change, Outcome>,
): string | null {
  const left = stops.find((stop) => !SUCCEEDED.includes(outcomes.get(stop)?.outcome));
  return left === undefined
    ? null
    : `Nothing was sent, because ${left.live_id ?? 'an object'} of ${formatAddress(left.address)} has the same content and was not stopped. Fans would get it twice. Resolve that change first, then run "herald apply" again.`;
}
