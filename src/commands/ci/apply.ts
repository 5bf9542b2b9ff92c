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
import { printResult } from '../../cli/run-command.ts';
import { readPlanToApply, readTrustedPlan } from '../../cli/saved-plan.ts';
import { approvalGate, requiredApproval } from '../../ci/approval-gate.ts';
import { drawOutcomes, drawTitle, endApplied, endRefused, reportEnd } from '../../ci/report-outcome.ts';
import {
  type ApplyPlace,
  applyPlace,
  type FindPorts,
  findReviews,
  joinReviews,
  type Reviewed,
} from '../../ci/reviews.ts';
import { outdatedAsk, targetsOfPush } from '../../ci/since-review.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { openFiles, type Opened } from '../../library/open.ts';
import { type FilesApply, refuseElsewhere } from '../../library/runs.ts';

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
    const ports: FindPorts = {
      say: (text) => context.output.say(text),
      readPlan: (path) => readPlanToApply(context, path, undefined),
      planInText: (text) => readTrustedPlan(context, { path: PLAN_FILE, text }),
      planFile: PLAN_FILE,
    };
    const place = await applyPlace(job, await findProvider(context, job), await context.repository());
    const run = { commit: place.commit, url: job.run?.url ?? null };
    let reviewed: readonly Reviewed[] | null = null;
    try {
      await refuseSimulator(context, given.simulator);
      await refuseLostState(context, given);
      reviewed = await findReviews(ports, given, place);
      const all = reviewed;
      const opened = await openFiles(workspacePorts(context));
      const { review } = joinReviews(all);
      const plans = all.map(({ saved }) => saved.plan);
      const { report, exit } = await runApply(context, opened, {
        limits: await limitApply(context, opened, {
          place,
          reviewed: all,
          allow,
          branch: branch ?? job.branch,
        }),
        ...(review === null ? {} : { reviewed: { review, plans, allow } }),
        expand: false,
        question: null,
        wait: { waitMs, writesBranch: true },
      });
      await printResult(context, format, drawApply(context, opened, report, null));
      await writeJobSummary(context, (bytes) => drawOutcomes(report, drawTitle(report, run), bytes));
      await reportEnd(ports.say, place, endApplied(report, all, { run, isDone: exit === EXIT.done }));
      return exit;
    } catch (error) {
      const failure = toHeraldError(error);
      if (failure !== null) await reportEnd(ports.say, place, endRefused(failure, reviewed, run));
      throw error;
    }
  },
});

interface ToLimit {
  readonly place: ApplyPlace;
  readonly reviewed: readonly Reviewed[];
  readonly allow: readonly string[];
  readonly branch: string | null;
}

/** Plans the merged files, with the targets of the reviewed plans, and applies what was reviewed and approved. */
async function limitApply(
  context: Context,
  opened: Opened,
  { place, reviewed, allow, branch }: ToLimit,
): Promise<Omit<FilesApply, 'isAgreed' | 'remotes' | 'show' | 'ask'>> {
  const { workspace } = opened;
  const { review } = joinReviews(reviewed);
  const targeting = await targetsOfPush(context, place, reviewed, opened);
  const required = await requiredApproval(place, reviewed, workspace.requireApproval);
  const outdated = outdatedAsk(context, place.repository, branch);
  const named = {
    what: 'The reviewed plan is stale',
    hint: 'Plan and review again, in a new pull request.',
  };
  const elsewhere = { named, remotes: context.remotes() };
  for (const { saved } of reviewed) refuseElsewhere(saved, workspace.service.identity, elsewhere);
  return {
    allow: readAllowances(allow, workspace.allow),
    targeting: review === null ? targeting : readTargets(targeting, workspace),
    // Asked for under the lease, and again after each wait: an approval may be dismissed meanwhile.
    permissions: async () => ({
      review,
      approvals: required === null ? null : await approvalGate(place, reviewed, required),
      outdated: await outdated(),
    }),
    named,
  };
}
