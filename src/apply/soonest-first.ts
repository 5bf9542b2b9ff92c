import type { Change } from '../domain/change.ts';
import type { Observed } from '../domain/resource.ts';

/**
 * Stops of one account, in the order of what they prevent. A stop without an answer is repeated for two minutes, and a
 * broadcast with an hour inside of them would go out meanwhile. What has no hour keeps its order, behind the broadcasts.
 */
export function soonestFirst(
  changes: readonly Change[],
  planned: (change: Change) => Observed | undefined,
): readonly Change[] {
  const hours = new Map(changes.map((change) => [change, hourOf(planned(change))]));
  const hour = (change: Change) => hours.get(change) ?? Infinity;
  return changes.toSorted((left, right) => {
    const [one, other] = [hour(left), hour(right)];
    return one === other ? 0 : one - other;
  });
}

/** When it goes out by itself, in epoch milliseconds. */
function hourOf(object: Observed | undefined): number {
  if (object?.kind !== 'broadcast') return Infinity;
  const ms = Date.parse(object.live.scheduled_at ?? '');
  return Number.isNaN(ms) ? Infinity : ms;
}
