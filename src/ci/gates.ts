import { hasCode, HeraldError } from '../domain/herald-error.ts';
import { formatAddress } from '../domain/resource.ts';
import { EVERYTHING, type Permissions, type Targeting, selectAddresses } from '../plan/facts.ts';
import type { WorkspacePorts } from '../library/ports.ts';
import type { Push, Reviewed } from './push.ts';
import { type DeclaredFiles, outdatedAsk, scopeChanged, type ScopePorts } from './scope.ts';
import { type RequireApproval, REQUIRE_APPROVAL } from '../domain/workspace.ts';
import { readYaml } from '../workspace/yaml.ts';
import { checkShape } from '../workspace/shape-check.ts';
import { workspaceFileShape } from '../workspace/schema.ts';
import { isMembers, readMember } from '../domain/field-path.ts';
import { EXIT } from '../domain/exit-codes.ts';
import type { Change } from '../domain/change.ts';
import { reviewPlan } from '../plan/review.ts';
import { groupBy } from '../domain/group-by.ts';

/** A runner that is thrown away does not know what was sent. A file that is there was kept by someone. */
export async function refuseLostState(
  { files, state }: Pick<WorkspacePorts, 'files' | 'state'>,
  { simulator, keepsState }: { readonly simulator: boolean; readonly keepsState: boolean },
): Promise<void> {
  if (simulator || keepsState || (await state.location()).kind !== 'sqlite') return;
  if (await files.exists('.herald/state.db')) return;
  throw new HeraldError(
    'ci-no-state',
    'The state is in a file that this job does not have, so it does not know what earlier jobs sent. Nothing was changed.',
    'Add to herald.yaml: state: { git_branch: herald-state }, or name a database. If this runner keeps the folder .herald for the next job: --keeps-state',
  );
}

/** What an apply of a push may do: what was reviewed and approved, of the files as the tip of the branch declares them. */
export async function limitToReviews(
  ports: ScopePorts,
  push: Push,
  reviewed: readonly Reviewed[],
  { files, branch }: { readonly files: DeclaredFiles; readonly branch: string | null },
) {
  const plans = reviewed.flatMap(({ saved }) => saved ?? []);
  const review = { changes: plans.flatMap(({ plan }) => reviewPlan(plan).changes) };
  const wasReviewed = reviewed.length > 0;
  const approvals = await approvalAsk(push, reviewed, files.workspace.requireApproval);
  const outdated = outdatedAsk(ports, push.repository, branch, files);
  return {
    targeting: await targetsOfPush(ports, push, reviewed, files),
    reviewed: wasReviewed ? { plans, isExact: false, maxAgeMs: null } : undefined,
    // Asked for under the lease, and again after each wait: an approval may be dismissed meanwhile.
    permissions: async () => ({
      review: wasReviewed ? review : null,
      approvals: await approvals(),
      outdated: await outdated(),
    }),
  };
}

type ApprovalGate = NonNullable<Permissions['approvals']>;

function joinTargets(plans: readonly Targeting[]): Targeting {
  const [only, ...others] = plans;
  if (only !== undefined && others.length === 0) return { target: only.target, exclude: only.exclude };
  if (plans.some(({ target, exclude }) => target.length === 0 && exclude.length === 0)) return EVERYTHING;
  // One without a target excludes everything: no file of it differed.
  const target = [...new Set(plans.flatMap((plan) => plan.target))];
  return target.length === 0 ? { target, exclude: ['*'] } : { target, exclude: [] };
}

/**
 * Asks the forge which changes are approved, each time that it is called, because an approval may be dismissed meanwhile. Null if
 * `ci.require_approval` is neither in the workspace nor in the base before this push: no change switches it off for itself.
 */
async function approvalAsk(
  push: Push,
  reviewed: readonly Reviewed[],
  own: RequireApproval | null,
): Promise<() => Promise<ApprovalGate | null>> {
  const pulls = reviewed.flatMap(({ pull }) => pull ?? []);
  const base = await push.findBase(pulls);
  const asked = [own, base === null ? null : await requiredAt(push, base)];
  // The stricter one.
  const required = REQUIRE_APPROVAL.find((one) => asked.includes(one));
  return async () => (required === undefined ? null : approvalGate(push, reviewed, required));
}

async function requiredAt({ repository }: Push, base: string): Promise<RequireApproval | null> {
  await repository.fetchCommit(base);
  const file = await repository.fileAt(base, 'herald.yaml');
  if (file.kind === 'absent') return null;
  const read = file.kind === 'regular' ? readYaml('herald.yaml', file.text) : null;
  if (read !== null && read.source !== null && read.diagnostics.length === 0) {
    const written = read.source.value;
    const ci = checkShape(workspaceFileShape.shape.ci, readMember(written, 'ci'));
    if (isMembers(written) && ci !== null) return ci?.require_approval ?? null;
  }
  const why = read === null ? 'it, or a folder above it, is a link or a submodule' : 'it has errors';
  throw new HeraldError(
    'invalid-files',
    `ci.require_approval cannot be read at the base commit ${base.slice(0, 12)}. There, herald.yaml is not usable: ${why}. Nothing was applied.`,
    'Repair herald.yaml on the branch. Then apply the next pull request alone, by the plan of its artifact: add --plan herald-plan.json.',
    { exit: EXIT.blocked },
  );
}

/** A change is approved if an approved pull request has a plan that covers it: the reviewers saw this change. */
async function approvalGate(
  { provider, commit }: Push,
  reviewed: readonly Reviewed[],
  required: RequireApproval,
): Promise<ApprovalGate> {
  const asked: { readonly changesAt: ReadonlyMap<string, Change[]>; readonly missing: string | null }[] = [];
  for (const { saved, pull } of reviewed) {
    if (provider === null || pull === null || saved === null) continue;
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

/**
 * The targets of the reviewed plans, and whatever else the push has changed in the files: by a direct commit, or after the plan of its
 * pull request. It is planned as well, so that it is blocked and reported, and not left out without a word.
 */
async function targetsOfPush(
  ports: ScopePorts,
  { repository, commit, before }: Push,
  all: readonly Reviewed[],
  head: DeclaredFiles,
): Promise<Targeting> {
  const reviewed = all.length === 0 ? EVERYTHING : joinTargets(all.flatMap(({ saved }) => saved ?? []));
  if (all.every(({ pull }) => pull === null) || selectAddresses(reviewed).isEverything) return reviewed;
  const base = before ?? (await repository.parentsOf(commit))[0];
  if (base === undefined) return reviewed;
  try {
    const scope = await scopeChanged(ports, repository, head, { base, head: null });
    return scope.because === null ? joinTargets([reviewed, scope.targeting]) : EVERYTHING;
  } catch (error) {
    // The branch was replaced by another one.
    if (hasCode(error, 'git-no-common-commit')) return EVERYTHING;
    throw error;
  }
}
