import type { Change } from '../../domain/change.ts';
import type { Repository } from '../../domain/git.ts';
import type { Declared } from '../../domain/resource.ts';
import { markdownProse } from '../../render/markdown-escape.ts';
import { CiError } from '../ci-error.ts';
import { approvalRulesAt } from './base-rules.ts';
import { requiredApprovals } from './required.ts';
import { requiredWords } from './words.ts';

/** What a pull request would apply, and the commit with the rules for it. */
export interface Wanted {
  readonly base: string;
  readonly changes: readonly Change[];
  readonly declared: readonly Declared[];
}

/** What a reviewer has to know of `policy.approvals` before the merge. Empty if no rule is about these changes. */
export async function approvalNotices(
  repository: Repository,
  { base, changes, declared }: Wanted,
): Promise<readonly string[]> {
  try {
    const rules = await approvalRulesAt(repository, base);
    const words = requiredApprovals(rules, changes, declared).map(requiredWords);
    return words.map((one) => `> **Needs before the apply:** ${markdownProse(one)}.`);
  } catch (error) {
    // The apply will refuse it. A plan can still be read.
    if (error instanceof CiError) return [`> ${markdownProse(`${error.message} ${error.hint}`)}`];
    throw error;
  }
}
