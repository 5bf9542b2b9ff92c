import type { ApprovalRule } from '../../domain/approval.ts';
import { WRITING_KINDS } from '../../domain/change-kinds.ts';
import type { Declared } from '../../domain/resource.ts';
import { describeApprovalRule } from '../../policy/approvals.ts';
import { requiredApprovals } from './required.ts';

/** A rule of `policy.approvals`, and the declared resources that it may be about. */
export interface DeclaredApproval {
  /** In words. */
  readonly rule: string;
  readonly count: number;
  /** Users and teams that can approve. Empty for anyone. */
  readonly from: readonly string[];
  /** A change of these needs the approval, if it is one that the rule names. */
  readonly addresses: readonly string[];
}

/** What the rules ask for without a plan: each resource counts with every change that could be made to it. */
export function declaredApprovals(
  rules: readonly ApprovalRule[],
  declared: readonly Declared[],
): readonly DeclaredApproval[] {
  const changes = declared.flatMap(({ address }) =>
    WRITING_KINDS.map((action) => ({ address, action, reversible: false })),
  );
  return rules.map((rule) => ({
    rule: describeApprovalRule(rule),
    count: rule.count,
    from: rule.from,
    addresses: requiredApprovals([rule], changes, declared).flatMap(({ addresses }) => addresses),
  }));
}
