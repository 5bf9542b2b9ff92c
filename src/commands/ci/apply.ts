import { jobFlags, openJob, PLAN_FILE, refuseSimulator } from '../../cli/ci-job.ts';
import type { Context } from '../../cli/context.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { workspacePorts } from '../../cli/engine-ports.ts';
import { toHeraldError } from '../../cli/failure-of.ts';
import { allowFlag, lockTimeout, switchFlag, textFlag } from '../../cli/flags.ts';
import { readAllowances } from '../../cli/make-plan.ts';
import { runApply } from '../../cli/run-apply.ts';
import { printResult } from '../../cli/run-command.ts';
import { readPlanToApply, readTrustedPlan } from '../../cli/saved-plan.ts';
import { reportApplied, reportRefused, type ApplyPlace } from '../../ci/report.ts';
import { applyPlace, findReviews, joinReviews, type Reviewed } from '../../ci/reviews.ts';
import { approvalAsk, outdatedAsk, targetsOfPush } from '../../ci/gates.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { openFiles, type Opened } from '../../library/connect.ts';

/** A job may follow another one that still applies. */
const LOCK_TIMEOUT_MS = 600_000;

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
    const { allow, branch, format, lockTimeout: lockTimeoutMs = LOCK_TIMEOUT_MS } = given;
    const { job, say, provider, summary } = await openJob(context, given, 'apply');
    const place = await applyPlace(job, await provider(), await context.repository());
    let pulls: readonly number[] | null = null;
    try {
      await refuseSimulator(context, given.simulator);
      await refuseLostState(context, given);
      const reviewed = await findReviews(
        {
          say,
          readPlan: (path) => readPlanToApply(context, path),
          planInText: (text) => readTrustedPlan(context, { path: PLAN_FILE, text }),
          planFile: PLAN_FILE,
        },
        given,
        place,
      );
      pulls = reviewed.flatMap(({ pull }) => pull?.number ?? []);
      const opened = await openFiles({ ...workspacePorts(context), lockTimeoutMs });
      const limits = { place, reviewed, allow, branch: branch ?? job.branch };
      const { report, exit, ...drawn } = await applyReviewed(context, opened, limits);
      await printResult(context, format, drawn);
      await reportApplied({ say, summary }, place, report, { pulls, isDone: exit === EXIT.done });
      return exit;
    } catch (error) {
      const failure = toHeraldError(error);
      if (failure !== null) await reportRefused(say, place, failure, pulls);
      throw error;
    }
  },
});

/** A runner that is thrown away does not know what was sent. A file that is there was kept by someone. */
async function refuseLostState(
  { files, state }: Context,
  { simulator, keepsState }: { readonly simulator: boolean; readonly keepsState: boolean },
): Promise<void> {
  if (simulator || keepsState || (await state.location()).kind !== 'sqlite') return;
  if (await files.exists('.herald/state.db')) return;
  throw new HeraldError(
    'ci-no-state',
    'The state is in a file that this job does not have, so it does not know what earlier jobs sent. Nothing was changed.',
    'Add to herald.yaml: state: { git_branch: herald-state }, or name a database. If this runner keeps the folder .herald for the next job: --keeps-state',
    { exit: EXIT.blocked },
  );
}

interface Place {
  readonly place: ApplyPlace;
  readonly reviewed: readonly Reviewed[];
  readonly allow: readonly string[];
  readonly branch: string | null;
}

/** Plans the merged files, with the targets of the reviewed plans, and applies what was reviewed and approved. */
async function applyReviewed(context: Context, opened: Opened, { place, reviewed, allow, branch }: Place) {
  const { workspace } = opened;
  const review = joinReviews(reviewed);
  const plans = reviewed.map(({ saved }) => saved);
  const approvals = await approvalAsk(place, reviewed, workspace.requireApproval);
  const outdated = outdatedAsk(context, place.repository, branch);
  return runApply(context, opened, {
    allow: readAllowances(allow, workspace.allow),
    targeting: await targetsOfPush(context, place, reviewed, opened),
    reviewed: review === null ? undefined : { plans, isExact: false, maxAgeMs: null },
    // Asked for under the lease, and again after each wait: an approval may be dismissed meanwhile.
    permissions: async () => ({
      review,
      approvals: await approvals(),
      outdated: await outdated(),
    }),
    again: 'Plan and review again, in a new pull request.',
    next: { kind: 'job', commit: place.commit },
    isAgreed: true,
    writesBranch: true,
  });
}
