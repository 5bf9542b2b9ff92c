import {
  findJob,
  findProvider,
  jobFlags,
  PLAN_FILE,
  refuseLostState,
  refuseSimulator,
  refuseUnsafeEvent,
  writeJobSummary,
} from '../../cli/ci-job.ts';
import type { Context } from '../../cli/context.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { workspacePorts } from '../../cli/engine-ports.ts';
import { toHeraldError } from '../../cli/failure-of.ts';
import { allowFlag, lockTimeout, switchFlag, textFlag } from '../../cli/flags.ts';
import { readAllowances, readTargets } from '../../cli/plan-flags.ts';
import { drawApply, runApply } from '../apply.ts';
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
import { type FilesApply, refuseElsewhere } from '../../library/runs.ts';
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
    const { allow, branch, format, lockTimeout: waitMs = LOCK_TIMEOUT_MS } = given;
    const job = await findJob(context, given.provider);
    refuseUnsafeEvent(job, { ...given, command: 'apply' });
    const say: FindPorts['say'] = (text) => context.output.say(text);
    const ports: FindPorts = {
      job,
      provider: await findProvider(context, job),
      repository: context.repository,
      readPlan: (path) => readPlanToApply(context, path, undefined),
      planInText: (text) => readTrustedPlan(context, { path: PLAN_FILE, text }),
      planFile: PLAN_FILE,
      needsSignature: readPlanKey(context) !== null,
      say,
    };
    const place = await applyPlace(ports);
    const run: ApplyRun = { commit: place.commit, url: job.run?.url ?? null };
    let found: FoundReviews | null = null;
    try {
      await refuseSimulator(context, given.simulator);
      await refuseLostState(context, given);
      found = await findReviews(ports, given, place);
      const opened = await openFiles(workspacePorts(context));
      const { review, plans } = found;
      const { report, exit } = await runApply(context, opened, {
        limits: await limitApply(context, found, opened, { allow, branch: branch ?? job.branch }),
        ...(review === null ? {} : { reviewed: { review, plans: plans.map(({ plan }) => plan), allow } }),
        expand: false,
        question: null,
        wait: { waitMs, writesBranch: true },
      });
      await printResult(context, format, drawApply(context, opened, report, null));
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
): Promise<Omit<FilesApply, 'isAgreed' | 'remotes' | 'show' | 'ask'>> {
  const { workspace } = opened;
  const { plans, repository, review } = found;
  const targeting = await targetsOfPush(context, found, opened);
  const required = await requiredApproval(found, workspace.requireApproval);
  const outdated = outdatedAsk(context, repository, branch);
  const named = {
    what: 'The reviewed plan is stale',
    hint: 'Plan and review again, in a new pull request.',
  };
  const elsewhere = { named, remotes: context.remotes() };
  for (const saved of plans) refuseElsewhere(saved, workspace.service.identity, elsewhere);
  return {
    allow: readAllowances(allow, workspace.allow),
    targeting: review === null ? EVERYTHING : readTargets(targeting, workspace),
    // Asked for under the lease, and again after each wait: an approval may be dismissed meanwhile.
    permissions: async () => ({
      review,
      approvals: required === null ? null : await approvalGate(found, required),
      outdated: await outdated(),
    }),
    named,
  };
}
