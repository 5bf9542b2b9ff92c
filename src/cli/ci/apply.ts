import { approvalGate, requiredApproval } from '../../ci/approval-gate.ts';
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
import { openFiles, type Opened } from '../../library/open.ts';
import { applyFiles, type FilesApply } from '../../library/runs.ts';
import { refuseElsewhere } from '../../library/stale.ts';
import type { Job, ProviderName } from '../../provider/job.ts';
import { EVERYTHING, type OutdatedGate } from '../../plan/facts.ts';
import { renderJson } from '../../render/json.ts';
import { renderApplyText } from '../../render/report-text.ts';
import type { Context } from '../context.ts';
import { workspacePorts } from '../engine-ports.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { applyExit } from '../exit-of.ts';
import { failureOf } from '../failure-of.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { allowancesOf } from '../resources/allowances.ts';
import { askingOptions } from '../resources/apply-asking.ts';
import { planKeyOf } from '../resources/plan-key.ts';
import { applyReviewed, differencesFrom } from '../resources/reviewed.ts';
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
    const ports = workspacePorts(context);
    const opened = await openFiles(ports);
    const targeting = await targetsOfPush(context, found, opened);
    const required = await requiredApproval(found, opened.workspace.requireApproval);
    const outdated = outdatedAsk(context, place.repository, flags.branch ?? job.branch);
    const limits = { found: { ...found, targeting }, required, outdated };
    const options = limitApply(context, flags, opened, limits);
    const lockTimeoutMs = context.flags.lockTimeoutMs ?? LOCK_TIMEOUT_MS;
    const plans = found.plans.map(({ plan }) => plan);
    const compare = differencesFrom(context, flags.allow, opened, plans);
    const reviewed = found.review === null ? null : { review: found.review, compare };
    const { results, report } = await applyReviewed(options, reviewed, (given) =>
      context.protect(() => applyFiles({ ...ports, lockTimeoutMs }, opened, given, { writesBranch: true })),
    );
    show(context, report, opened, format);
    const left = await leftOfPush(found, report);
    if (left !== null) search.say(visibleProse(left));
    const notes = left === null ? [] : [left];
    await writeJobSummary(context, () => outcomeSection({ ...report, notes }, run));
    const exit = applyExit(results, context.interrupted.aborted);
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

interface Limits {
  readonly found: FoundReviews;
  readonly required: RequireApproval | null;
  readonly outdated: () => Promise<OutdatedGate>;
}

/** Plans the merged files, with the targets of the reviewed plans, and applies what was reviewed and approved. */
function limitApply(
  context: Context,
  flags: CiApplyFlags,
  { workspace }: Opened,
  { found, required, outdated }: Limits,
): FilesApply {
  const named = {
    what: 'The reviewed plan is stale',
    hint: 'Plan and review again, in a new pull request.',
  };
  const elsewhere = { named, remotes: context.remotes() };
  for (const saved of found.plans) refuseElsewhere(saved, workspace.service.identity, elsewhere);
  return {
    ...askingOptions(context, { yes: true, expand: false }, () => undefined),
    allow: allowancesOf(flags.allow, workspace.allow),
    targeting: found.review === null ? EVERYTHING : targetingOf(found.targeting, workspace),
    // Asked for under the lease, and again after each wait: an approval may be dismissed meanwhile.
    permissions: async () => ({
      review: found.review,
      approvals: required === null ? null : await approvalGate(found, required),
      outdated: await outdated(),
    }),
    named,
    saved: null,
    maxAgeMs: 0,
  };
}

function show(context: Context, report: ApplyReport, opened: Opened, format: string): void {
  const { colour, width } = context.output;
  const style = { colour, width, zones: zonesOf(opened.declared) };
  context.output.result(format === 'json' ? renderJson(report) : renderApplyText(report, style, null));
}
