import { approvalRulesAt } from './base-rules.ts';
import { checkApprovals } from './check.ts';
import { requiredApprovals } from './required.ts';
import { approvalFindings } from './words.ts';
import type { ApprovalRule } from '../../domain/approval.ts';
import type { Change } from '../../domain/change.ts';
import { canonical } from '../../domain/digest.ts';
import type { Repository } from '../../domain/git.ts';
import type { PullRequest } from '../../provider/provider.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import { formatAddress, type Declared } from '../../domain/resource.ts';
import { CiError } from '../ci-error.ts';
import type { FoundReviews } from '../find-reviews.ts';

/** What is about to be applied. */
interface Wanted {
  readonly changes: readonly Change[];
  readonly declared: readonly Declared[];
}

/**
 * Throws if a change has too few approvals. The rules are those of the base branch before the push, and before the merge
 * of a pull request that an earlier job has left: its own rules are on the base branch by now. Each pull request
 * has to be approved for the addresses that its own comment names. An address that no comment names has to be approved in
 * all of them, because a person could have edited the comments.
 */
export async function requireApprovals(
  { provider, repository, chosen, before, commit }: FoundReviews,
  { changes, declared }: Wanted,
): Promise<void> {
  if (repository === null) return;
  const base = before ?? (await repository.parentsOf(commit))[0];
  if (base === undefined) return;
  const rules = await approvalRulesAt(repository, base);
  const findings: Diagnostic[] = [];
  if (provider === null || chosen.length === 0) {
    findings.push(
      ...approvalFindings(await checkApprovals(requiredApprovals(rules, changes, declared), null)),
    );
  } else {
    const named = new Set(chosen.flatMap(({ marker }) => Object.keys(marker.changes ?? {})));
    for (const { pullRequest, marker } of chosen) {
      const own = marker.changes === undefined ? null : new Set(Object.keys(marker.changes));
      const isOwn = (change: Change) => {
        const address = formatAddress(change.address);
        return own === null || own.has(address) || !named.has(address);
      };
      const before = await beforeMerge(repository, pullRequest);
      const earlier = before === null || before === base ? [] : await approvalRulesAt(repository, before);
      const required = requiredApprovals(united(rules, earlier), changes.filter(isOwn), declared);
      const source = { provider, repository, pullRequest, base: before ?? base };
      findings.push(...approvalFindings(await checkApprovals(required, source)));
    }
  }
  if (findings.length === 0) return;
  throw new CiError(
    'ci-not-approved',
    `Not approved, so nothing was changed: ${findings.map(({ message }) => message).join(' ')}`,
    'Get the approvals, then run this job again.',
    'refused',
  );
}

/** The base branch right before the pull request was merged. Null if the provider does not tell. */
async function beforeMerge(
  repository: Repository,
  { mergeCommit }: Pick<PullRequest, 'mergeCommit'>,
): Promise<string | null> {
  if (mergeCommit === null) return null;
  await repository.fetchCommit(mergeCommit);
  return (await repository.parentsOf(mergeCommit))[0] ?? null;
}

function united(rules: readonly ApprovalRule[], more: readonly ApprovalRule[]): readonly ApprovalRule[] {
  return [...new Map([...rules, ...more].map((rule) => [canonical(rule), rule])).values()];
}
