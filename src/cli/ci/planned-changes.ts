import { HeraldError } from '../../domain/herald-error.ts';
import {
  planCounts,
  reviewedChanges,
  scopeNotices,
  wholePlan,
  type Found,
  type PlanRun,
} from '../../ci/plan-comment.ts';
import { baseCommit } from '../../ci/base-commit.ts';
import { accountNotices } from '../../ci/account-notices.ts';
import { workspaceNotices } from '../../ci/settings-notice.ts';
import { scopeChanged, type Scope } from '../../ci/scope-changed.ts';
import type { Plan } from '../../domain/change.ts';
import { formatCommand } from '../../domain/command-line.ts';
import type { ResolvedAccount } from '../../domain/resource.ts';
import { shown, visibleProse } from '../../domain/visible.ts';
import { describeLook, saveLook } from '../../library/describe-look.ts';
import { openFiles, type Opened } from '../../library/open.ts';
import { lookAt } from '../../library/runs.ts';
import { EVERYTHING } from '../../plan/facts.ts';
import { count } from '../../render/wording.ts';
import { renderPlanMarkdown } from '../../render/plan-markdown.ts';
import type { Context } from '../context.ts';
import { workspacePorts } from '../engine-ports.ts';
import { annotate } from '../findings.ts';
import type { PlanFormat } from '../formats.ts';
import { allowancesOf } from '../resources/allowances.ts';
import { circumstancesToSave } from '../resources/circumstances.ts';
import { annotationsOf, drawPlan } from '../resources/plan.ts';
import { planKeyOf } from '../resources/plan-key.ts';
import { writeSavedPlan } from '../resources/saved-plan.ts';
import { zonesOf } from '../resources/zones.ts';
import { writePage } from '../page/write-page.ts';
import { writeReport } from '../write-report.ts';
import { inFolder, MARKDOWN_FILE, PAGE_FILE, PLAN_FILE, writeCodeQuality } from './plan-files.ts';
import type { CiPlanFlags } from './plan-flags.ts';

interface Planned {
  readonly plan: Plan;
  readonly found: Found;
}

/** Plans what the pull request changes, prints it, and writes the files of `--out-dir`. */
export async function plannedChanges(
  context: Context,
  flags: CiPlanFlags & { readonly format: PlanFormat },
  run: PlanRun,
): Promise<Planned> {
  // A key that is too short ends the command before anything is read.
  const key = planKeyOf(context);
  const ports = workspacePorts(context);
  const opened = await openFiles(ports);
  const allow = allowancesOf(flags.allow, opened.workspace.allow);
  const scope = await scopeOf(context, flags, run, opened);
  const targeting = scope?.kind === 'changed' ? scope.targeting : EVERYTHING;
  const seen = await lookAt(ports, opened, { allow, targeting });
  const described = describeLook(opened, seen, await circumstancesAt(context, flags, run, opened));
  const { plan } = described;
  const zones = zonesOf(opened.declared);
  const draw = (limit: number) =>
    renderPlanMarkdown(plan, { zones, limit, whole: wholePlan(run.job, run.folder) });
  const { outDir, format } = flags;
  await writeSavedPlan(
    context,
    inFolder(outDir, PLAN_FILE),
    await saveLook(opened, { allow, targeting }, described),
    key,
  );
  await writeReport(context, inFolder(outDir, MARKDOWN_FILE), draw(MARKDOWN_BYTES));
  await writePage(context, inFolder(outDir, PAGE_FILE), plan, 'plan');
  const annotations = await annotationsOf(plan, 'plan', opened.declared);
  annotate(context, annotations);
  await writeCodeQuality(context, run.job, { outDir, folder: run.folder }, annotations);
  context.output.result(drawPlan(context, plan, { format, declared: opened.declared }));
  return {
    plan,
    found: {
      fingerprint: plan.fingerprint ?? null,
      changes: reviewedChanges(plan),
      counts: planCounts(plan),
      base: scope?.base ?? null,
      notices: [
        ...(await noticesOfSettings(context, flags, run, { scope, plan, accounts: seen.facts.accounts })),
        ...scopeNotices(scope),
      ],
      draw,
    },
  };
}

/** The checkout of a pull request is a merge that vanishes, so the plan names the commit that people know. */
async function circumstancesAt(
  context: Context,
  { allow }: CiPlanFlags,
  { job, head }: PlanRun,
  opened: Opened,
): ReturnType<typeof circumstancesToSave> {
  const circumstances = await circumstancesToSave(context, allow, opened);
  return job.head === null
    ? circumstances
    : { ...circumstances, commit: { ...circumstances.commit, id: head } };
}

/** Enough for any plan that a person would read. */
const MARKDOWN_BYTES = 10_000_000;

interface ToReview {
  readonly scope: Scope | null;
  readonly plan: Plan;
  readonly accounts: readonly ResolvedAccount[];
}

/**
 * What a reviewer has to know first: which accounts are meant, and settings that differ from those of the base. A job that
 * compares with nothing knows no differences.
 */
async function noticesOfSettings(
  context: Context,
  flags: CiPlanFlags,
  { job }: PlanRun,
  { scope, plan, accounts: resolved }: ToReview,
): Promise<readonly string[]> {
  const head = await context.files.readText('herald.yaml');
  const named = flags.base ?? (job.event === 'pull-request' ? job.base : null);
  const about = { head, changes: plan.changes, resolved };
  if (scope === null && named === null) return accountNotices(head, about);
  const repository = await context.repository();
  const commit = scope?.base ?? (await baseCommit(repository, { base: named ?? '', head: job.head }));
  return workspaceNotices(repository, commit, about);
}

/** What the run is about; null for everything, without a comparison. */
async function scopeOf(
  context: Context,
  flags: CiPlanFlags,
  { job }: PlanRun,
  opened: Opened,
): Promise<Scope | null> {
  const isForMerge = job.event === 'pull-request' || job.event === 'merge-queue';
  const wanted = flags.scope ?? (isForMerge ? opened.workspace.ciScope : 'all');
  if (wanted === 'all') return null;
  const base = flags.base ?? job.base ?? job.baseBranch;
  if (base === null)
    throw new HeraldError(
      'bad-flag',
      '--scope changed needs a commit or branch to compare with, and this job names none.',
      `Use: ${formatCommand('ci', 'plan', '--scope', 'changed', '--base', 'main')}`,
    );
  const scope = await scopeChanged(context, await context.repository(), opened, { base, head: job.head });
  context.output.say(
    scope.kind === 'all'
      ? shown`Scope: everything, because ${visibleProse(scope.because)}.`
      : shown`Scope: ${count(scope.addresses.length, 'resource')} declared differently than in ${scope.base.slice(0, 12)}.`,
  );
  return scope;
}
