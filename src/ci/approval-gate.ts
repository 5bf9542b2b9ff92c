import { formatCommand } from '../domain/command-line.ts';
import type { Repository } from '../domain/git.ts';
import { REQUIRE_APPROVAL, type RequireApproval } from '../domain/workspace.ts';
import type { ApprovalGate } from '../plan/facts.ts';
import { workspaceFileShape } from '../workspace/schema.ts';
import { checkShape } from '../workspace/shape-check.ts';
import { readYaml } from '../workspace/yaml.ts';
import type { FoundReviews } from './reviews.ts';
import { beforeMerge } from './merged-reviews.ts';
import { member } from './settings-notice.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { EXIT } from '../domain/exit-codes.ts';

/** The strictest `ci.require_approval` of the workspace, and of the base before this push and before each merge. */
export async function requiredApproval(
  { provider, repository, commit, before, found, unapproved }: FoundReviews,
  own: RequireApproval | null,
): Promise<RequireApproval | null> {
  const bases = new Set([before ?? (await repository.parentsOf(commit))[0] ?? null]);
  for (const { pullRequest } of [...found.map(({ of }) => of), ...unapproved])
    if (provider !== null) bases.add(await beforeMerge(provider, repository, pullRequest));
  const asked = [own];
  for (const base of bases) if (base !== null) asked.push(await requiredAt(repository, base));
  return REQUIRE_APPROVAL.find((one) => asked.includes(one)) ?? null;
}

async function requiredAt(repository: Repository, base: string): Promise<RequireApproval | null> {
  await repository.fetchCommit(base);
  const file = await repository.fileAt(base, 'herald.yaml');
  if (file.kind === 'absent') return null;
  const read = file.kind === 'regular' ? readYaml('herald.yaml', file.text) : null;
  if (read !== null && read.source !== null && read.diagnostics.length === 0) {
    const written = read.source.value;
    const { value: ci } = checkShape(workspaceFileShape.shape.ci, member(written, 'ci'));
    if (typeof written === 'object' && written !== null && !Array.isArray(written) && ci !== null)
      return ci?.require_approval ?? null;
  }
  const why = read === null ? 'it, or a folder above it, is a link or a submodule' : 'it has errors';
  throw new HeraldError(
    'invalid-files',
    `ci.require_approval cannot be read at the base commit ${base.slice(0, 12)}. There, herald.yaml is not usable: ${why}. Nothing was applied.`,
    `Repair herald.yaml on the branch. Then apply the next pull request alone, by the plan of its artifact: ${formatCommand('ci', 'apply', '--plan', 'herald-plan.json')}`,
    { exit: EXIT.blocked },
  );
}

/** A change is approved if a pull request with its fingerprint is: the reviewers saw this change. */
export async function approvalGate(
  { provider, commit, found }: FoundReviews,
  required: RequireApproval,
): Promise<ApprovalGate> {
  const asked: (FoundReviews['found'][number] & { readonly because: string | null })[] = [];
  for (const one of found)
    if (provider !== null)
      asked.push({ ...one, because: await provider.whyNotApproved(one.of.pullRequest.number) });
  return (change, fingerprints) => {
    if (required === 'irreversible' && change.reversible) return null;
    const about = asked.filter(({ changes }) =>
      changes.some((one) => fingerprints.includes(one.fingerprint)),
    );
    if (about.some(({ because }) => because === null)) return null;
    const [first] = about;
    const needs = `Not approved, and ci.require_approval is ${required}.`;
    if (first !== undefined)
      return `${needs} Pull request ${first.of.pullRequest.number} ${first.because}. Then run the apply job of ${commit.slice(0, 12)} again.`;
    if (provider === null)
      return `${needs} Without GitHub or GitLab, there is nothing to ask. Apply it by hand.`;
    return `${needs} No reviewed pull request of this job has this change. Make it in one that people approve.`;
  };
}
