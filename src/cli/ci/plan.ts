import { diagnosticsIn } from '../findings.ts';
import { describeInvalidFiles } from './invalid-files.ts';
import { hasCode } from '../../domain/herald-error.ts';
import { failedPlan } from '../../ci/failed-plan.ts';
import type { PlanRun } from '../../ci/plan-comment.ts';
import {
  reportPlan,
  reportFailure,
  type PlanReport,
  type ReportPorts,
  type FailureReport,
} from '../../ci/report-plan.ts';
import { isPlanRefused, sendsChanges } from '../../domain/change.ts';
import type { Job } from '../../provider/job.ts';
import { VERSION } from '../../version.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { failureOf } from '../failure-of.ts';
import { chooseFormat, PLAN_FORMATS, type PlanFormat } from '../formats.ts';
import { comparedFiles } from './compared-files.ts';
import type { CiPlanFlags } from './plan-flags.ts';
import { writeJobSummary } from './plan-files.ts';
import { plannedChanges } from './planned-changes.ts';
import { jobOf, providerOf } from './provider.ts';
import { refuseSimulator, refuseUnsafeEvent } from './safe-job.ts';

/** `herald ci plan`: plans a pull request, writes files, and shows the result where people review. Sends only GETs. */
export async function ciPlanCommand(context: Context, flags: CiPlanFlags): Promise<number> {
  const format = chooseFormat(context, PLAN_FORMATS);
  const job = await jobOf(context, flags.provider);
  refuseUnsafeEvent(job, { flags, command: 'plan' });
  const run: PlanRun = {
    job,
    folder: await folderOf(context),
    version: VERSION,
    head: await headOf(context, job),
  };
  const planned = await orTellWhy(context, run, () => planOf(context, { ...flags, format }, run));
  await reportPlan(reportPorts(context, run), run, planned);
  if (planned.state === 'failure') return EXIT.blocked;
  return flags.detailedExitcode && planned.hasChanges ? EXIT.differences : EXIT.done;
}

interface Planned extends PlanReport {
  readonly hasChanges: boolean;
}

async function planOf(
  context: Context,
  flags: CiPlanFlags & { readonly format: PlanFormat },
  run: PlanRun,
): Promise<Planned> {
  await refuseSimulator(context, flags);
  if (isWithoutKey(context, flags, run.job)) {
    const { found, isRefused } = await comparedFiles(context, flags, run);
    return { found, state: isRefused ? 'failure' : 'success', hasChanges: false };
  }
  const { plan, found } = await plannedChanges(context, flags, run);
  return { found, state: isPlanRefused(plan) ? 'failure' : 'success', hasChanges: sendsChanges(plan) };
}

/** The result of `work`. If it fails, that is reported first, so that no one takes an earlier plan for one of this commit. */
async function orTellWhy<Result>(
  context: Context,
  run: PlanRun,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    // A newer job has taken over, and reports its own plan.
    if (!context.interrupted.aborted)
      await reportFailure(reportPorts(context, run), run, failureReport(error));
    // The command ends with this error, whatever becomes of telling it.
    throw error;
  }
}

function failureReport(error: unknown): FailureReport {
  if (hasCode(error, 'invalid-files')) {
    const found = describeInvalidFiles(diagnosticsIn(error));
    return { found, state: 'failure', because: found.counts };
  }
  const failure = failureOf(error) ?? BUG;
  const state = failure.exit === EXIT.blocked ? 'failure' : 'error';
  return { found: failedPlan(failure), state, because: `no plan: ${failure.message}` };
}

const BUG = {
  message: 'This is a bug in Herald.',
  hint: 'The output of the job says more.',
  exit: EXIT.failed,
};

function reportPorts(context: Context, { job }: PlanRun): ReportPorts {
  return {
    say: (text) => context.output.say(text),
    provider: () => providerOf(context, job),
    summary: (draw) => writeJobSummary(context, draw),
  };
}

/** A pull request from a fork gets no secrets, and neither does one that Dependabot opens here. */
function isWithoutKey({ env, flags }: Context, { simulator }: CiPlanFlags, { event, isFork }: Job): boolean {
  const hasKey = (env['HERALD_API_KEY'] ?? '').trim() !== '' || flags.apiKeyFile !== undefined;
  return event === 'pull-request' && !hasKey && (isFork || !simulator);
}

/** Empty without git or a repository, because only a comparison needs them. */
async function folderOf(context: Context): Promise<string> {
  return (await context.repository().catch(() => null))?.folder ?? '';
}

/** The commit that is planned. On a person's machine it may have changes that are not committed. */
async function headOf(context: Context, job: Job): Promise<string> {
  if (job.head !== null) return job.head;
  const repository = await context.repository().catch(() => null);
  return (await repository?.commitOf('HEAD')) ?? 'unknown';
}
