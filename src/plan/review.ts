import { writes, type Change, type Plan, type ReviewedChange } from '../domain/change.ts';
import { groupBy } from '../domain/group-by.ts';
import { formatAddress } from '../domain/resource.ts';
import { blockChange, starts } from './decide/decision.ts';
import type { Permissions, PlanFacts } from './facts.ts';
import { indexFingerprints, listIds } from './fingerprint.ts';

/** What was agreed. It limits what a run may do, and never says what to do. */
export type Review = NonNullable<Permissions['review']>;

/** The changes of a reviewed plan that write. What it blocked was not agreed to. */
export function reviewPlan({ changes }: Plan): Review {
  return { changes: changes.filter((change) => writes(change) && change.fingerprint !== undefined) };
}

/** Reviewed changes that a fresh plan has no more: they are done. A missed or blocked one is not done. */
export function findDone({ changes }: Review, fresh: Plan): readonly ReviewedChange[] {
  const open = new Set(
    fresh.changes
      .filter((change) => writes(change) || change.action === 'blocked' || change.action === 'missed')
      .map(({ address }) => formatAddress(address)),
  );
  return changes
    .filter(({ address }) => !open.has(formatAddress(address)))
    .map(({ address, action, fingerprint = '' }) => ({ address, action, fingerprint }));
}

/** Blocks what is outdated, not reviewed or not approved; limits count the changes after that. */
export function permitChanges(facts: PlanFacts): (change: Change) => Change {
  const { review = null, approvals = null, outdated = null } = facts;
  if (review === null && approvals === null && outdated === null) return (change) => change;
  const { print, listMade } = indexFingerprints(facts);
  const reviewedAt = groupBy(review?.changes ?? [], ({ address }) => formatAddress(address));
  return (change) => {
    if (!writes(change)) return change;
    const because = outdated?.(change.address) ?? null;
    if (because !== null) return blockChange(change, because);
    const withheld = { action: change.action, fingerprint: print(change) };
    // The files and the objects of the agreed change are as they were, apart from what Herald did for it.
    const covers = (agreed: Change) =>
      agreed.fingerprint === withheld.fingerprint ||
      (agreed.fingerprint === print(agreed) && isRemainder(agreed, change, listMade(agreed)));
    const agreed = reviewedAt.get(formatAddress(change.address)) ?? [];
    if (review !== null && !agreed.some(covers))
      return { ...blockChange(change, explainUnreviewed(change, agreed)), unreviewed: withheld };
    const missing = approvals?.(change, covers) ?? null;
    return missing === null ? change : { ...blockChange(change, missing), unapproved: withheld };
  };
}

function explainUnreviewed({ action }: Change, agreed: readonly Change[]): string {
  const again = 'To apply it, plan and review again.';
  if (agreed.length === 0)
    return `Not reviewed: Herald would ${action} it, and the reviewed plan leaves it as it is. ${again}`;
  const earlier = [...new Set(agreed.map((one) => one.action))].toSorted().join(' and ');
  return `Not as reviewed: Herald would ${action} it. It was reviewed as ${earlier}, and the files or the live state have changed since. ${again}`;
}

/**
 * Whether a change is the rest of an agreed one: the same address, no step of another kind, and no object but those of the
 * agreed change. What the agreed change made, of which `madeIds` may have copies, is only ever stopped. The caller has
 * compared what is declared.
 */
export function isRemainder(agreed: Change, next: Change, madeIds: ReadonlySet<string>): boolean {
  if (!writes(agreed) || formatAddress(agreed.address) !== formatAddress(next.address)) return false;
  const kinds = new Set(agreed.steps.map(({ kind }) => kind));
  const isMaking = kinds.has('create') && !starts(next);
  const own = new Set([...listIds(agreed), ...(isMaking ? madeIds : [])]);
  const isAgreed = next.steps.every(
    ({ kind, live_id: id }) =>
      kinds.has(kind) ||
      kind === 'read_back' ||
      kind === 'check_not_left' ||
      kind === 'upload' ||
      (id !== null && madeIds.has(id) && (kind === 'pause' || kind === 'archive')),
  );
  return isAgreed && listIds(next).every((id) => own.has(id));
}
