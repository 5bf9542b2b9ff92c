import { writes, type Change } from '../domain/change.ts';
import { groupBy } from '../domain/group-by.ts';
import { formatAddress } from '../domain/resource.ts';
import { blockChange } from './decide/decision.ts';
import type { Permissions, PlanFacts } from './facts.ts';
import { indexFingerprints, type Fingerprints } from './fingerprint.ts';

/** Blocks what is outdated, not reviewed or not approved; limits count the changes after that. */
export function permission(facts: PlanFacts): (change: Change) => Change {
  const { review = null, approvals = null, outdated = null } = facts;
  if (review === null && approvals === null && outdated === null) return (change) => change;
  const fingerprints = indexFingerprints(facts);
  const reviewed = review === null ? null : guardReviewed(review, fingerprints);
  return (change) => {
    if (!writes(change)) return change;
    const because = outdated?.(change.address) ?? null;
    if (because !== null) return blockChange(change, because);
    const one = reviewed?.(change) ?? change;
    if (approvals === null || !writes(one)) return one;
    const fingerprint = fingerprints.of(one);
    const missing = approvals(one, [fingerprint, ...fingerprints.partOf(one)]);
    if (missing === null) return one;
    return { ...blockChange(one, missing), unapproved: { action: one.action, fingerprint } };
  };
}

/**
 * | the change                                                     | it is       |
 * |----------------------------------------------------------------|-------------|
 * | has a reviewed fingerprint                                     | kept        |
 * | is the rest of a reviewed change, which was cut short          | kept        |
 * | any other that writes                                          | blocked     |
 */
function guardReviewed(
  review: NonNullable<Permissions['review']>,
  fingerprints: Fingerprints,
): (change: Change) => Change {
  const reviewed = new Set(review.changes.map(({ fingerprint }) => fingerprint));
  const byAddress = groupBy(review.changes, ({ address }) => formatAddress(address));
  return (change) => {
    const { action } = change;
    const fingerprint = fingerprints.of(change);
    if ([fingerprint, ...fingerprints.partOf(change)].some((one) => reviewed.has(one))) return change;
    const others = byAddress.get(formatAddress(change.address)) ?? [];
    const actions = [...new Set(others.flatMap((one) => one.action ?? []))].toSorted();
    const earlier = actions.length === 0 ? 'another change' : actions.join(' and ');
    const reason =
      others.length === 0
        ? `Not reviewed: Herald would ${action} it, and the reviewed plan leaves it as it is. To apply it, plan and review again.`
        : `Not as reviewed: Herald would ${action} it. It was reviewed as ${earlier}, and the files or the live state have changed since. To apply it, plan and review again.`;
    return { ...blockChange(change, reason), unreviewed: { action, fingerprint } };
  };
}
