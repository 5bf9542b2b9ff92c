import type { ApprovalRule } from '../../domain/approval.ts';
import { canonical } from '../../domain/digest.ts';
import { formatAddress, type Declared } from '../../domain/resource.ts';
import type { ApprovalGate } from '../../plan/review.ts';
import { fits, patternOf } from '../../plan/targets.ts';
import type { PullRequest } from '../../provider/provider.ts';
import type { FoundReview, FoundReviews } from '../find-reviews.ts';
import { beforeMerge } from '../merged-pulls.ts';
import { approvalRulesAt } from './base-rules.ts';
import { reviewedIn } from './check.ts';
import { missingApprovals, type Reviewed } from './judge.ts';
import { requiredApprovals, type RequiredApproval } from './required.ts';
import { approvalFindings, withoutPullRequest } from './words.ts';

/** A pull request of this push, or of an earlier one. */
interface Judged {
  readonly pullRequest: PullRequest;
  /** In its review. */
  readonly addresses: ReadonlySet<string>;
  readonly fingerprints: ReadonlySet<string>;
  /** Of its base right before its merge. */
  readonly rules: readonly ApprovalRule[];
  /** Null if no rule is about its addresses, so that the provider was not asked. */
  readonly reviewed: Reviewed | null;
}

/** What is applied. */
interface Applied {
  readonly declared: readonly Declared[];
  /** `policy.approvals` of the workspace as it is. */
  readonly own: () => Promise<readonly ApprovalRule[]>;
}

/**
 * Decides for each change whether it has the approvals that it needs.
 *
 * - The rules are those of the base branch before the push, and before the merge of each pull request that is about the
 *   same address: its own rules are on the base branch by now.
 * - A pull request has to be approved for a change if its review has the fingerprint of the change. If several have it, one
 *   is enough: its reviewers saw the same.
 * - A change that no pull request has needs approvals which no one can give. It is only carried out if no rule is about it.
 * - Without a base, such as outside a repository, the rules of the workspace itself count.
 */
export async function approvalGate(given: FoundReviews, { declared, own }: Applied): Promise<ApprovalGate> {
  const { repository, commit, before, found, unapproved } = given;
  const base = repository === null ? null : (before ?? (await repository.parentsOf(commit))[0] ?? null);
  if (repository === null || base === null) {
    const rules = await own();
    return (change) => unapprovable(requiredApprovals(rules, [change], declared));
  }
  const ofBase = await approvalRulesAt(repository, base);
  const judged: Judged[] = [];
  for (const one of found) judged.push(await judgedOf(given, { base, rules: ofBase }, one));
  const earlier: { readonly addresses: ReadonlySet<string>; readonly rules: readonly ApprovalRule[] }[] = [];
  for (const { pullRequest, addresses } of unapproved)
    earlier.push({
      addresses: new Set(addresses),
      rules: await rulesBefore(given, pullRequest, base),
    });
  return (change, fingerprints) => {
    const address = formatAddress(change.address);
    const about = [...judged, ...earlier].filter((one) => one.addresses.has(address));
    const rules = united([ofBase, ...about.map((one) => one.rules)]);
    const required = requiredApprovals(rules, [change], declared);
    if (required.length === 0) return null;
    const covering = judged.filter((one) => fingerprints.some((print) => one.fingerprints.has(print)));
    const lacks = covering.map((one) => ({ ...one, missing: missingApprovals(required, one.reviewed) }));
    if (lacks.some(({ missing }) => missing.length === 0)) return null;
    const [first] = lacks;
    if (first === undefined) return unapprovable(required);
    const words = approvalFindings(first.missing).map(({ message }) => message);
    return `Not approved in pull request ${first.pullRequest.number}: ${words.join(' ')} Then run the apply job of ${commit.slice(0, 12)} again.`;
  };
}

/** Why a change that no pull request has is not carried out. Null if it needs no approval. */
function unapprovable(required: readonly RequiredApproval[]): string | null {
  return required.length === 0 ? null : `Not approved: ${required.map(withoutPullRequest).join(' ')}`;
}

interface Base {
  readonly base: string;
  readonly rules: readonly ApprovalRule[];
}

async function judgedOf(given: FoundReviews, base: Base, one: FoundReview): Promise<Judged> {
  const { provider, repository } = given;
  const { pullRequest } = one.of;
  const addresses = new Set(one.changes.map(({ address }) => formatAddress(address)));
  const fingerprints = new Set(one.changes.map(({ fingerprint }) => fingerprint));
  const isSure = given.before !== null && given.found.length === 1;
  const before = isSure && !isAbout(base.rules, one) ? null : await tipBefore(given, pullRequest);
  const own = before === null || before === base.base ? [] : await rulesAt(given, before);
  const rules = united([base.rules, own]);
  const asks = given.unapproved.length > 0 || isAbout(rules, one);
  const isKnown = asks && provider !== null && repository !== null;
  const source = isKnown ? { provider, repository, pullRequest, base: before ?? base.base } : null;
  const reviewed = source === null ? null : await reviewedIn(source, rules);
  return { pullRequest, addresses, fingerprints, rules, reviewed };
}

/** Whether a rule may be about a change of this review. What the change is shows only the fresh plan. */
function isAbout(rules: readonly ApprovalRule[], { changes }: FoundReview): boolean {
  return rules.some(({ match }) => {
    const pattern = patternOf(match);
    return changes.some(({ address }) => fits(pattern, address));
  });
}

async function rulesBefore(
  given: FoundReviews,
  pullRequest: PullRequest,
  base: string,
): Promise<readonly ApprovalRule[]> {
  const before = await tipBefore(given, pullRequest);
  return before === null || before === base ? [] : rulesAt(given, before);
}

async function tipBefore(
  { provider, repository }: FoundReviews,
  pullRequest: PullRequest,
): Promise<string | null> {
  if (provider === null || repository === null) return null;
  return beforeMerge(provider, repository, pullRequest);
}

async function rulesAt({ repository }: FoundReviews, commit: string): Promise<readonly ApprovalRule[]> {
  return repository === null ? [] : approvalRulesAt(repository, commit);
}

function united(lists: readonly (readonly ApprovalRule[])[]): readonly ApprovalRule[] {
  return [...new Map(lists.flat().map((rule) => [canonical(rule), rule])).values()];
}
