import {
  writes,
  type Change,
  type FieldDifference,
  type Plan,
  type ReviewedChange,
} from '../domain/change.ts';
import { canonical } from '../domain/digest.ts';
import { groupBy } from '../domain/group-by.ts';
import { compareAddresses, formatAddress } from '../domain/resource.ts';
import { blockChange } from './decide/decision.ts';
import type { Permissions, PlanFacts } from './facts.ts';
import { indexFingerprints, type ListFingerprints } from './fingerprint.ts';

/** What was reviewed: fingerprints, with words for messages. It limits what a run may do, and never says what to do. */
export type Review = NonNullable<Permissions['review']>;

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

/** Blocks what is outdated, not reviewed or not approved; limits count the changes after that. */
export function permitChanges(facts: PlanFacts): (change: Change) => Change {
  const { review = null, approvals = null, outdated = null } = facts;
  if (review === null && approvals === null && outdated === null) return (change) => change;
  const listFingerprints = indexFingerprints(facts);
  const reviewed = review === null ? null : guardReviewed(review, listFingerprints);
  return (change) => {
    if (!writes(change)) return change;
    const because = outdated?.(change.address) ?? null;
    if (because !== null) return blockChange(change, because);
    const one = reviewed?.(change) ?? change;
    if (approvals === null || !writes(one)) return one;
    const fingerprints = listFingerprints(one);
    const [fingerprint] = fingerprints;
    const missing = approvals(one, fingerprints);
    if (missing === null) return one;
    return { ...blockChange(one, missing), unapproved: { action: one.action, fingerprint } };
  };
}

/** What has no reviewed fingerprint, and is not the rest of a reviewed change that was cut short, is blocked. */
function guardReviewed(review: Review, listFingerprints: ListFingerprints): (change: Change) => Change {
  const reviewed = new Set(review.changes.map(({ fingerprint }) => fingerprint));
  const byAddress = groupBy(review.changes, ({ address }) => formatAddress(address));
  return (change) => {
    const { action } = change;
    const fingerprints = listFingerprints(change);
    const [fingerprint] = fingerprints;
    if (fingerprints.some((one) => reviewed.has(one))) return change;
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

/**
 * Whether an agreed change covers a later one: the same address, and no object but those of the agreed change and those
 * that the run made for it. The caller has compared the declared digest. A start of an agreed change that only stops is not
 * covered, and neither is a recall that was not agreed to.
 */
export function isRemainder(agreed: Change, next: Change, madeIds: ReadonlySet<string>): boolean {
  if (!writes(agreed) || formatAddress(agreed.address) !== formatAddress(next.address)) return false;
  const own = new Set([...collectIds(agreed), ...madeIds]);
  const kinds = new Set(agreed.steps.map(({ kind }) => kind));
  const isAgreed = next.steps.every(
    ({ kind, live_id: id }) =>
      kinds.has(kind) ||
      kind === 'read_back' ||
      kind === 'check_not_left' ||
      kind === 'upload' ||
      // A copy that the run made is stopped.
      (id !== null && madeIds.has(id) && (kind === 'pause' || kind === 'archive')),
  );
  return isAgreed && collectIds(next).every((id) => own.has(id));
}

function collectIds({ live_id: id, steps }: Change): readonly string[] {
  return [id, ...steps.map((step) => step.live_id)].filter((one) => one !== null);
}

/** A reviewed change, and the one of a fresh plan at its address that is not the same. */
export interface NotAsReviewed {
  readonly reviewed: Change;
  readonly fresh: Change;
  /** `old` is the reviewed value. */
  readonly fields: readonly FieldDifference[];
}

/** What differs between reviewed changes and those of a fresh plan that were not carried out instead of them. */
export function compareReviewed(reviewed: Plan, fresh: Plan): readonly NotAsReviewed[] {
  const [was, is] = [listReviewed(reviewed), listReviewed(fresh)];
  const [seen, still] = [was, is].map((all) => new Set(all.map(({ fingerprint }) => fingerprint)));
  const old = groupBy(
    was.filter(({ fingerprint }) => still?.has(fingerprint) !== true),
    ({ address }) => formatAddress(address),
  );
  const now = groupBy(
    is.filter(({ fingerprint }) => seen?.has(fingerprint) !== true),
    ({ address }) => formatAddress(address),
  );
  return [...now]
    .filter(([, changes]) => changes.some(({ unreviewed }) => unreviewed !== undefined))
    .flatMap(([address, changes]) =>
      changes.flatMap((change, index) => {
        // In the order of their ids, because most addresses have one change.
        const before = old.get(address)?.[index];
        return before === undefined
          ? []
          : [{ reviewed: before, fresh: change, fields: compareShown(before, change) }];
      }),
    )
    .toSorted((one, other) => compareAddresses(one.fresh.address, other.fresh.address));
}

/** A change that was not reviewed or not approved counts as what it would be if it were. */
function listReviewed({ changes }: Plan): readonly Change[] {
  return changes
    .map((change) => ({ ...change, ...(change.unreviewed ?? change.unapproved) }))
    .filter(({ fingerprint }) => fingerprint !== undefined);
}

/** Differences in what a reviewer sees. A blocked change has no steps any more, so they do not count. */
function compareShown(was: Change, is: Change): readonly FieldDifference[] {
  const [before, after] = [was, is].map(
    ({ action, needs, live_id: id, fields }) =>
      Object.fromEntries([
        ['change', action],
        ['needs', needs.toSorted().join(', ')],
        ['live object', id],
        ...fields.flatMap(({ path, old, new: wanted }) => [
          [path, wanted],
          [`live ${path}`, old],
        ]),
      ]) as Readonly<Record<string, unknown>>,
  );
  return Object.keys({ ...before, ...after }).flatMap((path) => {
    const [old, now] = [before?.[path] ?? null, after?.[path] ?? null];
    return canonical(old) === canonical(now) ? [] : [{ path, old, new: now }];
  });
}
