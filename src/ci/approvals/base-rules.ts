import type { ApprovalRule } from '../../domain/approval.ts';
import type { Repository } from '../../domain/git.ts';
import { readApprovals } from '../../workspace/approvals.ts';
import { CiError } from '../ci-error.ts';

const WORKSPACE_FILE = 'herald.yaml';

/**
 * `policy.approvals` of the base branch, which decides: a pull request could change its own. No rules if the base has no
 * workspace yet. Rejects if a rule there cannot be read, because it may be the one that is needed.
 */
export async function approvalRulesAt(
  repository: Repository,
  base: string,
): Promise<readonly ApprovalRule[]> {
  await repository.fetchCommit(base);
  const tree = await repository.treeOf(base);
  try {
    if (!(await tree.files.exists(WORKSPACE_FILE))) return [];
    const read = readApprovals(await tree.files.readText(WORKSPACE_FILE));
    if (read.kind === 'rules') return read.rules;
    throw new CiError(
      'invalid-files',
      `policy.approvals of ${WORKSPACE_FILE} cannot be read at the base commit ${base.slice(0, 12)}: ${read.because}`,
      `Repair ${WORKSPACE_FILE} on the base branch first. Nothing was applied.`,
    );
  } finally {
    tree.close();
  }
}
