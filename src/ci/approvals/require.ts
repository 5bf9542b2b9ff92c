import { approvalRulesAt } from './base-rules.ts';
import { checkApprovals } from './check.ts';
import { requiredApprovals } from './required.ts';
import { approvalFindings } from './words.ts';
import type { Change } from '../../domain/change.ts';
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
 * Throws if a change has too few approvals. The rules are those of the base branch before the merge. Each pull request
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
  if (rules.length === 0) return;
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
      const required = requiredApprovals(rules, changes.filter(isOwn), declared);
      const source = { provider, repository, pullRequest, base };
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
