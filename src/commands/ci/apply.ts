import {
  findProvider,
  findSafeJob,
  jobFlags,
  PLAN_FILE,
  refuseLostState,
  refuseSimulator,
  writeJobSummary,
} from '../../cli/ci-job.ts';
import type { Context } from '../../cli/context.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { workspacePorts } from '../../cli/engine-ports.ts';
import { toHeraldError } from '../../cli/failure-of.ts';
import { allowFlag, lockTimeout, switchFlag, textFlag } from '../../cli/flags.ts';
import { readAllowances, readTargets } from '../../cli/plan-flags.ts';
import { type ApplyWishes, runApply } from '../../cli/run-apply.ts';
import { printResult } from '../../cli/run-row.ts';
import { readPlanKey, readPlanToApply, readTrustedPlan } from '../../cli/saved-plan.ts';
import { approvalGate, requiredApproval } from '../../ci/approval-gate.ts';
import { applyPlace, type FindPorts, findReviews, type FoundReviews } from '../../ci/reviews.ts';
import { outcomeSection, type ApplyRun } from '../../ci/outcome-comment.ts';
import { reportOutcome, reportRefusal } from '../../ci/report-outcome.ts';
import { leftOfPush, outdatedAsk, targetsOfPush } from '../../ci/since-review.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { visibleProse } from '../../domain/visible.ts';
import { openFiles, type Opened } from '../../library/open.ts';
import { EVERYTHING } from '../../plan/facts.ts';

/** A job may follow another one that still applies. */
const LOCK_TIMEOUT_MS = 600_000;

/** Applies what was reviewed in the merged pull request, and reports the result there. */
export const apply = defineCommand({
  path: 'ci apply',
  about: 'apply what was reviewed in the merged pull request, and report the outcome there',
  examples: ['herald ci apply', 'herald ci apply --plan herald-plan.json'],
  flags: {
    ...jobFlags,
    branch: textFlag(
      '--branch <name>',
      'the branch that is applied: its tip decides (default: that of the job, or the one that is checked out)',
    ),
    plan: textFlag('--plan <file>', 'the reviewed plan, in place of the one that the pull request names'),
    allowUnreviewed: switchFlag(
      '--allow-unreviewed',
      'apply everything if nothing was reviewed, as after a direct push',
    ),
    keepsState: switchFlag(
      '--keeps-state',
      'begin with an empty state: this runner keeps the folder .herald for the next job',
    ),
    allow: allowFlag,
    lockTimeout: lockTimeout('wait this long for another run to finish (default: 10m)'),
  },
  needs: 'nothing',
  run: async (context, given) => {
    const { allow, branch, format } = given;
    const job = await findSafeJob(context, given, 'apply');
    const say: FindPorts['say'] = (text) => context.output.say(text);
    const findPorts: FindPorts = {
      job,
      provider: await findProvider(context, job),
      repository: context.repository,
      readPlan: (path) => readPlanToApply(context, path),
      planInText: (text) => readTrustedPlan(context, { path: PLAN_FILE, text }),
      planFile: PLAN_FILE,
      needsSignature: readPlanKey(context) !== null,
      say,
    };
    const place = await applyPlace(findPorts);
    const run: ApplyRun = { commit: place.commit, url: job.run?.url ?? null };
    let found: FoundReviews | null = null;
    try {
      await refuseSimulator(context, given.simulator);
      await refuseLostState(context, given);
      found = await findReviews(findPorts, given, place);
      const ports = { ...workspacePorts(context), lockTimeoutMs: given.lockTimeout ?? LOCK_TIMEOUT_MS };
      const opened = await openFiles(ports);
      const limits = await limitApply(context, found, opened, { allow, branch: branch ?? job.branch });
      const { report, exit, ...drawn } = await runApply(context, opened, limits);
      await printResult(context, format, drawn);
      const left = await leftOfPush(found, report);
      if (left !== null) say(visibleProse(left));
      const notes = left === null ? [] : [left];
      await writeJobSummary(context, () => outcomeSection({ ...report, notes }, run));
      const state = exit === EXIT.done ? 'success' : 'failure';
      await reportOutcome(say, found, { report, run, notes, state });
      return exit;
    } catch (error) {
      const failure = toHeraldError(error);
      if (failure !== null) {
        const { pull_requests: named = [] } = (failure.details ?? {}) as {
          readonly pull_requests?: readonly number[];
        };
        await reportRefusal(say, place, {
          numbers: found === null ? named : found.found.map(({ of }) => of.pullRequest.number),
          failure,
          run,
          state: failure.exit === EXIT.blocked ? 'failure' : 'error',
        });
      }
      throw error;
    }
  },
});

/** Plans the merged files, with the targets of the reviewed plans, and applies what was reviewed and approved. */
async function limitApply(
  context: Context,
  found: FoundReviews,
  opened: Opened,
  { allow, branch }: { readonly allow: readonly string[]; readonly branch: string | null },
): Promise<ApplyWishes> {
  const { workspace } = opened;
  const { plans, repository, review } = found;
  const targeting = await targetsOfPush(context, found, opened);
  const required = await requiredApproval(found, workspace.requireApproval);
  const outdated = outdatedAsk(context, repository, branch);
  return {
    allow: readAllowances(allow, workspace.allow),
    targeting: review === null ? EVERYTHING : readTargets(targeting, workspace),
    reviewed: review === null ? undefined : { plans, isExact: false, maxAgeMs: null },
    // Asked for under the lease, and again after each wait: an approval may be dismissed meanwhile.
    permissions: async () => ({
      review,
      approvals: required === null ? null : await approvalGate(found, required),
      outdated: await outdated(),
    }),
    again: 'Plan and review again, in a new pull request.',
    isAgreed: true,
    writesBranch: true,
  };
}
