import { writes, type Change } from '../../domain/change.ts';
import { groupBy } from '../../domain/group-by.ts';
import { formatAddress } from '../../domain/resource.ts';
import type { Fingerprints } from '../fingerprint/fingerprints.ts';
import type { Review } from '../review.ts';
import { blockChange } from './guards.ts';

/**
 * Blocks what was not reviewed. It works on every plan of a run, so also on what the run decides later, under its lock.
 *
 * | the change                                                     | it is       |
 * |----------------------------------------------------------------|-------------|
 * | writes nothing                                                 | kept        |
 * | has a reviewed fingerprint                                     | kept        |
 * | is the rest of a reviewed change, which was cut short          | kept        |
 * | any other                                                      | blocked     |
 */
export function guardReviewed(review: Review, fingerprints: Fingerprints): (change: Change) => Change {
  const reviewed = new Set(review.changes.map(({ fingerprint }) => fingerprint));
  const byAddress = groupBy(review.changes, ({ address }) => formatAddress(address));
  return (change) => {
    if (!writes(change)) return change;
    const { action } = change;
    const fingerprint = fingerprints.of(change);
    if ([fingerprint, ...fingerprints.partOf(change)].some((one) => reviewed.has(one))) return change;
    const others = byAddress.get(formatAddress(change.address)) ?? [];
    const actions = [...new Set(others.flatMap((one) => one.action ?? []))].toSorted();
    return {
      ...blockChange(change, reasonFor(change, others.length > 0, actions)),
      unreviewed: { action, fingerprint },
    };
  };
}

function reasonFor({ action }: Change, wasReviewed: boolean, actions: readonly string[]): string {
  if (!wasReviewed)
    return `Not reviewed: Herald would ${action} it, and the reviewed plan leaves it as it is. To apply it, plan and review again.`;
  const earlier = actions.length === 0 ? 'another change' : actions.join(' and ');
  return `Not as reviewed: Herald would ${action} it. It was reviewed as ${earlier}, and the files or the live state have changed since. To apply it, plan and review again.`;
}

/** Addresses that stay as they are live, because nothing about them is permitted. The policy judges what goes out. */
export function notPermitted(changes: readonly Change[], wanted: readonly Change[]): readonly string[] {
  const carriedOut = new Set(changes.filter(writes).map(({ address }) => formatAddress(address)));
  const blocked = changes.filter((change, at) => change !== wanted[at]);
  return blocked.map(({ address }) => formatAddress(address)).filter((name) => !carriedOut.has(name));
}
