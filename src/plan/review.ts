import { writes, type Plan, type ReviewedChange } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';

/**
 * What was reviewed: a list of fingerprints. It limits what a run may do, and never says what to do. The rest is for
 * messages.
 */
export interface Review {
  readonly changes: readonly ReviewedChange[];
}

/** The changes of a reviewed plan that write. What it blocked was not agreed to. */
export function reviewPlan(plan: Plan): Review {
  const changes = plan.changes.filter(writes).flatMap(({ address, action, fingerprint }) => {
    return fingerprint === undefined ? [] : [{ address, action, fingerprint }];
  });
  return { changes };
}

/** Reviewed changes that a fresh plan has no more: they are done. A missed or blocked one is not done. */
export function findDone({ changes }: Review, fresh: Plan): readonly ReviewedChange[] {
  const open = new Set(
    fresh.changes
      .filter((change) => writes(change) || change.action === 'blocked' || change.action === 'missed')
      .map(({ address }) => formatAddress(address)),
  );
  return changes.filter(({ address }) => !open.has(formatAddress(address)));
}
