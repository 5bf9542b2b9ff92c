import { approvalGate, requiredApproval } from '../../ci/approval-gate.ts';
import { CiError } from '../../ci/ci-error.ts';
import {
  applyPlace,
  findReviews,
  type ApplyPlace,
  type FindFlags,
  type FindPorts,
  type FoundReviews,
} from '../../ci/find-reviews.ts';
import { outdatedAsk } from '../../ci/outdated.ts';
import { outcomeSection, type ApplyRun } from '../../ci/outcome-comment.ts';
import { leftOfPush, targetsOfPush } from '../../ci/push-scope.ts';
import { reportOutcome, reportRefusal } from '../../ci/report-outcome.ts';
import type { ApplyReport } from '../../domain/change.ts';
import type { RequireApproval } from '../../domain/workspace.ts';
import { visibleProse } from '../../domain/visible.ts';
import { openFiles } from '../../library/open.ts';
import type { Job, ProviderName } from '../../provider/job.ts';
import { applyWithReview, type ReviewOptions } from '../../reconcile/apply-with-review.ts';
import type { Opened } from '../../reconcile/source.ts';
import { EVERYTHING } from '../../plan/targets.ts';
import { refuseElsewhere } from '../../reconcile/stale.ts';
import { renderJson } from '../../render/json.ts';
import { renderApplyText } from '../../render/report-text.ts';
import type { Context } from '../context.ts';
import { workspacePorts } from '../engine-ports.ts';
import { EXIT } from '../exit-codes.ts';
import { applyExit } from '../exit-of.ts';
import { failureOf } from '../failure-of.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { allowancesOf } from '../resources/allowances.ts';
import { askingOptions } from '../resources/apply-asking.ts';
import { planKeyOf } from '../resources/plan-key.ts';
import { differencesFrom } from '../resources/reviewed.ts';
import { planInText, readPlanToApply } from '../resources/saved-plan.ts';
import { targetingOf } from '../resources/targets.ts';
import { zonesOf } from '../resources/zones.ts';
import { PLAN_FILE, writeJobSummary } from './plan-files.ts';
import { jobOf, providerOf } from './provider.ts';
import type { JobFlags } from './job-flags.ts';
import { refuseSimulator, refuseUnsafeEvent } from './safe-job.ts';

export interface CiApplyFlags extends FindFlags, JobFlags {
  readonly provider: ProviderName | undefined;
  readonly allow: readonly string[];
  /** The branch that is applied. Undefined takes that of the job. */
  readonly branch: string | undefined;
}

/** A job may follow another one that still applies. */
const LOCK_TIMEOUT_MS = 600_000;

/** `herald ci apply`: applies what was reviewed in the merged pull request, and reports the result there. */
export async function ciApplyCommand(context: Context, flags: CiApplyFlags): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const job = await jobOf(context, flags.provider);
  refuseUnsafeEvent(job, { flags, command: 'apply', branch: flags.branch });
  const search = await portsOf(context, job);
  const place = await applyPlace(search);
  const run: ApplyRun = { commit: place.commit, url: job.run?.url ?? null };
  let found: FoundReviews | null = null;
  try {
    await refuseSimulator(context, flags);
    found = await findReviews(search, flags, place);
    const ports = workspacePorts(context, 'apply');
    const opened = await openFiles(ports);
    const targeting = await targetsOfPush(context, found, opened);
    const required = await requiredApproval(found, opened.workspace.requireApproval);
    const options = {
      ...optionsOf(context, flags, opened, { found: { ...found, targeting }, required }),
      outdated: outdatedAsk(context, place.repository, flags.branch ?? job.branch),
    };
    const lockTimeoutMs = context.flags.lockTimeoutMs ?? LOCK_TIMEOUT_MS;
    const { executed, report } = await applyWithReview({ ...ports, lockTimeoutMs }, opened, options);
    show(context, report, opened, format);
    const left = await leftOfPush(found, report);
    if (left !== null) search.say(visibleProse(left));
    const notes = left === null ? [] : [left];
    await writeJobSummary(context, () => outcomeSection({ ...report, notes }, run));
    const exit = applyExit(executed, context.interrupted.aborted);
    await reportOutcome(search.say, found, {
      report,
      run,
      notes,
      state: exit === EXIT.done ? 'success' : 'failure',
    });
    return exit;
  } catch (error) {
    await tellWhy(search.say, error, { place, found, run });
    throw error;
  }
}

interface Ended {
  readonly place: ApplyPlace;
  /** Null if the search itself failed. */
  readonly found: FoundReviews | null;
  readonly run: ApplyRun;
}

async function tellWhy(say: FindPorts['say'], error: unknown, { place, found, run }: Ended): Promise<void> {
  const failure = failureOf(error);
  if (failure === null) return;
  const named = error instanceof CiError ? error.pullRequests : [];
  await reportRefusal(say, place, {
    numbers: found === null ? named : found.found.map(({ of }) => of.pullRequest.number),
    failure,
    run,
    state: failure.exitCode === EXIT.blocked ? 'failure' : 'error',
  });
}

async function portsOf(context: Context, job: Job): Promise<FindPorts> {
  return {
    job,
    provider: await providerOf(context, job),
    repository: context.repository,
    readPlan: (path) => readPlanToApply(context, path, undefined),
    planInText: (text) => planInText(context, PLAN_FILE, text),
    planFile: PLAN_FILE,
    needsSignature: planKeyOf(context) !== null,
    say: (text) => context.output.say(text),
  };
}

/** Plans the merged files, with the targets of the reviewed plans, and applies what was reviewed and approved. */
function optionsOf(
  context: Context,
  flags: CiApplyFlags,
  opened: Opened,
  { found, required }: { readonly found: FoundReviews; readonly required: RequireApproval | null },
): ReviewOptions {
  const named = {
    what: 'The reviewed plan is stale',
    hint: 'Plan and review again, in a new pull request.',
  };
  for (const saved of found.plans) refuseElsewhere(saved, opened, { named, remotes: context.remotes() });
  const { show: draw, protect } = askingOptions(
    context,
    { yes: true, expand: false },
    opened,
    () => undefined,
  );
  return {
    allow: allowancesOf(flags.allow, opened.workspace.allow),
    targeting: found.review === null ? EVERYTHING : targetingOf(found.targeting, opened.workspace),
    ...(found.review === null ? {} : { review: found.review }),
    // Asked for under the lease, and again after each wait: an approval may be dismissed meanwhile.
    ...(required === null ? {} : { approvals: () => approvalGate(found, required) }),
    named,
    saved: null,
    maxAgeMs: 0,
    isAgreed: true,
    show: draw,
    differences: differencesFrom(
      context,
      flags.allow,
      opened,
      found.plans.map(({ plan }) => plan),
    ),
    agree: () => Promise.resolve('at-once'),
    protect,
  };
}

function show(context: Context, report: ApplyReport, opened: Opened, format: string): void {
  const { colour, width } = context.output;
  const style = { colour, width, zones: zonesOf(opened.declared) };
  context.output.result(format === 'json' ? renderJson(report) : renderApplyText(report, style, null));
}
