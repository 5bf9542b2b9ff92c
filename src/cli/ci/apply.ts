import { requireApprovals } from '../../ci/approvals/require.ts';
import { findReviews, type FindFlags, type FindPorts, type FoundReviews } from '../../ci/find-reviews.ts';
import { outcomeSection } from '../../ci/outcome-comment.ts';
import { tellOutcome, tellRefusal } from '../../ci/tell-outcome.ts';
import type { ApplyReport } from '../../domain/change.ts';
import type { Visible } from '../../domain/visible.ts';
import { openFiles } from '../../library/open.ts';
import type { Job, ProviderName } from '../../provider/job.ts';
import type { ApplyTerms } from '../../reconcile/apply-run.ts';
import type { Opened } from '../../reconcile/source.ts';
import { EVERYTHING } from '../../plan/targets.ts';
import { applyWithReview } from '../../reconcile/apply-with-review.ts';
import { refuseElsewhere } from '../../reconcile/stale.ts';
import { renderJson } from '../../render/json.ts';
import { renderApplyText } from '../../render/report-text.ts';
import type { Context } from '../context.ts';
import { workspacePorts } from '../engine-ports.ts';
import { applyExit } from '../exit-of.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { allowancesOf } from '../resources/allowances.ts';
import { askingTerms } from '../resources/apply-asking.ts';
import { freshPlan, sayWhatDiffers } from '../resources/reviewed.ts';
import { targetingOf } from '../resources/targets.ts';
import { zonesOf } from '../resources/zones.ts';
import { failureOf } from '../failure-of.ts';
import { planKeyOf } from '../resources/plan-key.ts';
import { planInText, readPlanToApply } from '../resources/saved-plan.ts';
import { PLAN_FILE, writeJobSummary } from './plan-files.ts';
import { jobOf, providerOf } from './provider.ts';

export interface CiApplyFlags extends FindFlags {
  readonly provider: ProviderName | undefined;
  readonly allow: readonly string[];
}

/** A job may follow another one that still applies. */
const LOCK_TIMEOUT_MS = 600_000;

/** `herald ci apply`: applies what was reviewed in the merged pull request, and tells the result there. */
export async function ciApplyCommand(context: Context, flags: CiApplyFlags): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const job = await jobOf(context, flags.provider);
  const say = (text: Visible) => context.output.say(text);
  const found = await findReviews(await portsOf(context, job), flags);
  try {
    const ports = workspacePorts(context, 'apply');
    const opened = await openFiles(ports);
    const terms = termsOf(context, flags, opened, found);
    const lockTimeoutMs = context.flags.lockTimeoutMs ?? LOCK_TIMEOUT_MS;
    const { executed, report } = await applyWithReview({ ...ports, lockTimeoutMs }, opened, terms);
    show(context, report, opened, format);
    const run = runOf(job, found);
    await writeJobSummary(context, () => outcomeSection(report, run));
    await tellOutcome(say, found, { report, run });
    return applyExit(executed, context.interrupted.aborted);
  } catch (error) {
    const failure = failureOf(error);
    if (failure !== null) await tellRefusal(say, found, { failure, run: runOf(job, found) });
    throw error;
  }
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

function runOf({ run }: Job, { commit }: FoundReviews) {
  return { commit, url: run?.url ?? null };
}

/** Plans the merged files, with the targets of the reviewed plans, and applies what was reviewed. */
function termsOf(context: Context, flags: CiApplyFlags, opened: Opened, found: FoundReviews): ApplyTerms {
  const named = {
    what: 'The reviewed plan is stale',
    hint: 'Plan and review again, in a new pull request.',
  };
  for (const saved of found.plans) refuseElsewhere(saved, opened, { named, remotes: context.remotes() });
  const { show: draw, protect } = askingTerms(context, { yes: true, expand: false }, opened, (inspection) => {
    const fresh = freshPlan(context, flags.allow, opened, inspection);
    for (const { plan } of found.plans) sayWhatDiffers(context, plan, fresh);
  });
  return {
    allow: allowancesOf(flags.allow, opened.workspace.allow),
    targeting: found.review === null ? EVERYTHING : targetingOf(found.targeting, opened.workspace),
    ...(found.review === null ? {} : { review: found.review }),
    named,
    saved: null,
    maxAgeMs: 0,
    show: draw,
    agree: async (inspection) => {
      await requireApprovals(found, { changes: inspection.plan.changes, declared: opened.declared });
      return 'at-once';
    },
    protect,
  };
}

function show(context: Context, report: ApplyReport, opened: Opened, format: string): void {
  const { colour, width } = context.output;
  const style = { colour, width, zones: zonesOf(opened.declared) };
  context.output.result(format === 'json' ? renderJson(report) : renderApplyText(report, style, null));
}
