import { writes, type Change, type Plan, type ReviewedChange } from '../domain/change.ts';
import { formatAddress, type Address } from '../domain/resource.ts';

/**
 * What was reviewed: a list of fingerprints. It limits what a run may do, and never says what to do. The rest is for
 * messages.
 */
export interface Review {
  readonly changes: readonly ReviewedChange[];
}

/**
 * Says why a change may not be carried out without another approval; null if it may. The fingerprints are that of the
 * change, and those of the reviewed changes that it is the rest of.
 */
export type ApprovalGate = (change: Change, fingerprints: readonly string[]) => string | null;

/** Says why a newer commit has overtaken what is declared for an address; null if none has. */
export type OutdatedGate = (address: Address) => string | null;

/** What limits the changes of a plan. */
export interface Permissions {
  /** What the run may do. Absent or null for everything. */
  readonly review?: Review | null;
  /** What has the approvals that it needs. Absent or null if none are asked for. */
  readonly approvals?: ApprovalGate | null;
  /** What a newer commit declares differently. Absent or null if no commit is applied. */
  readonly outdated?: OutdatedGate | null;
}

/** The changes of a reviewed plan that write. What it blocked was not agreed to. */
export function reviewOf(plan: Plan): Review {
  const changes = plan.changes.filter(writes).flatMap(({ address, action, fingerprint }) => {
    return fingerprint === undefined ? [] : [{ address, action, fingerprint }];
  });
  return { changes };
}

/** Reviewed changes that a fresh plan has no more: they are done. A missed or blocked one is not done. */
export function alreadyDone({ changes }: Review, fresh: Plan): readonly ReviewedChange[] {
  const open = new Set(
    fresh.changes
      .filter((change) => writes(change) || change.action === 'blocked' || change.action === 'missed')
      .map(({ address }) => formatAddress(address)),
  );
  return changes.filter(({ address }) => !open.has(formatAddress(address)));
}
