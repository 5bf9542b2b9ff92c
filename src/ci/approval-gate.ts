import type { Change } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { groupBy } from '../domain/group-by.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { formatAddress } from '../domain/resource.ts';
import { REQUIRE_APPROVAL, type RequireApproval } from '../domain/workspace.ts';
import type { ApprovalGate } from '../plan/facts.ts';
import { reviewPlan } from '../plan/review.ts';
import { workspaceFileShape } from '../workspace/schema.ts';
import { checkShape } from '../workspace/shape-check.ts';
import { readYaml } from '../workspace/yaml.ts';
import { type ApplyPlace, baseOfPush, type Reviewed } from './reviews.ts';
import { member } from './settings-notice.ts';

/** The stricter `ci.require_approval` of the workspace and of the base before this push: no change switches it off for itself. */
export async function requiredApproval(
  place: ApplyPlace,
  reviewed: readonly Reviewed[],
  own: RequireApproval | null,
): Promise<RequireApproval | null> {
  const base = await baseOfPush(
    place,
    reviewed.flatMap(({ pull }) => pull ?? []),
  );
  const asked = [own, base === null ? null : await requiredAt(place, base)];
  return REQUIRE_APPROVAL.find((one) => asked.includes(one)) ?? null;
}

async function requiredAt({ repository }: ApplyPlace, base: string): Promise<RequireApproval | null> {
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

/** A change is approved if an approved pull request has a plan that covers it: the reviewers saw this change. Asks the forge now. */
export async function approvalGate(
  { provider, commit }: ApplyPlace,
  reviewed: readonly Reviewed[],
  required: RequireApproval,
): Promise<ApprovalGate> {
  const asked: { readonly changesAt: ReadonlyMap<string, Change[]>; readonly missing: string | null }[] = [];
  for (const { saved, pull } of reviewed) {
    if (provider === null || pull === null) continue;
    const because = await provider.whyNotApproved(pull.number);
    const missing =
      because === null
        ? null
        : `Pull request ${pull.number} ${because}. Then run the apply job of ${commit.slice(0, 12)} again.`;
    const { changes } = reviewPlan(saved.plan);
    asked.push({ changesAt: groupBy(changes, ({ address }) => formatAddress(address)), missing });
  }
  const unknown =
    provider === null
      ? 'Without GitHub or GitLab, there is nothing to ask. Apply it by hand.'
      : 'No reviewed pull request of this job has this change. Make it in one that people approve.';
  return (change, covers) => {
    if (required === 'irreversible' && change.reversible) return null;
    const address = formatAddress(change.address);
    const about = asked.filter(({ changesAt }) => changesAt.get(address)?.some(covers) === true);
    if (about.some(({ missing }) => missing === null)) return null;
    return `Not approved, and ci.require_approval is ${required}. ${about[0]?.missing ?? unknown}`;
  };
}
