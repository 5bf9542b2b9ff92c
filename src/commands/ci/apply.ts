import { defineCommand, printResult } from '../../cli/define-command.ts';
import { allowFlag, jobFlags, switchFlag, textFlag, timeFlag } from '../../cli/flags.ts';
import { readAllowances } from '../../cli/make-plan.ts';
import { runApply } from '../../cli/run-apply.ts';
import { readPlanToApply, readTrustedPlan } from '../../cli/saved-plan.ts';
import { openJob, refuseSimulator } from '../../ci/job.ts';
import { reportApplied, reportRefused } from '../../ci/report.ts';
import { Push } from '../../ci/push.ts';
import { limitToReviews, refuseLostState } from '../../ci/gates.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { toHeraldError } from '../../domain/herald-error.ts';
import { openFiles } from '../../library/connect.ts';

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
    lockTimeout: timeFlag(
      '--lock-timeout <time>',
      'wait this long for another run to finish (default: 10m)',
      { mayBeZero: true },
    ),
  },
  needs: 'nothing',
  run: async (context, given) => {
    const { allow, branch, format, lockTimeout: lockTimeoutMs = LOCK_TIMEOUT_MS } = given;
    const { job, say, provider, summary } = await openJob(context, given, 'apply');
    const forge = await provider();
    const repository = await context.repository();
    const push = new Push(job, forge, repository, await repository.commitOf('HEAD'));
    let pulls: readonly number[] | null = null;
    try {
      await refuseSimulator(context, given.simulator);
      await refuseLostState(context, given);
      const reviewed = await push.findReviews(
        {
          say,
          readPlan: (path) => readPlanToApply(context, path),
          planInText: (file) => readTrustedPlan(context, file),
        },
        given,
      );
      pulls = reviewed.flatMap(({ pull }) => pull?.number ?? []);
      const opened = await openFiles({ ...context, lockTimeoutMs });
      const { report, exit, ...drawn } = await runApply(context, opened, {
        ...(await limitToReviews(context, push, reviewed, { files: opened, branch: branch ?? job.branch })),
        allow: readAllowances(allow, opened.workspace.allow),
        again: 'Plan and review again, in a new pull request.',
        next: { kind: 'job', commit: push.commit },
        isAgreed: true,
        writesBranch: true,
      });
      await printResult(context, format, drawn);
      await reportApplied({ say, summary }, push, report, { pulls, isDone: exit === EXIT.done });
      return exit;
    } catch (error) {
      const failure = toHeraldError(error);
      if (failure !== null) await reportRefused(say, push, failure, pulls);
      throw error;
    }
  },
});
