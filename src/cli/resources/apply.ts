import type { Context } from '../context.ts';
import type { Allowance } from '../../domain/allowance.ts';
import { writes, type Plan } from '../../domain/change.ts';
import { LOCK_PATH } from '../../ledger/ledger.ts';
import { savePlan, type SavedPlan } from '../../plan/saved.ts';
import type { Targeting } from '../../plan/targets.ts';
import { renderJson } from '../../render/json.ts';
import { renderApplyText } from '../../render/report-text.ts';
import { refusedLine } from '../../render/summary.ts';
import { allowancesOf } from './allowances.ts';
import { carryOut } from '../../reconcile/carry-out.ts';
import { EXIT } from '../exit-codes.ts';
import { applyExit, isHeldBack } from '../exit-of.ts';
import { CommandError } from '../failure.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { declaredSource } from '../../reconcile/look.ts';
import type { Inspection, Opened, Source } from '../../reconcile/source.ts';
import { openWorkspace } from '../open-workspace.ts';
import { reconcilePorts } from '../reporter.ts';
import { drawPlan } from './plan.ts';
import { applyQuestion } from './questions.ts';
import { ON_SCREEN, readSavedPlan, refuseOtherService, refuseStale, savedIn } from './saved-plan.ts';
import { lookUntilResolved } from '../../reconcile/look-until-resolved.ts';
import { refuseUnmatched, targetingOf, type TargetFlags } from './targets.ts';

export interface ApplyFlags extends TargetFlags {
  readonly allow: readonly string[];
  /** A saved plan to apply exactly; undefined to plan now. */
  readonly planFile: string | undefined;
  /** The beginning of its digest in hex, as it was reviewed; undefined where any plan will do. */
  readonly expect: string | undefined;
  readonly yes: boolean;
  readonly maxPlanAgeHours: number;
}

/** `herald apply`: plan, ask, carry out, look again. */
export async function applyCommand(context: Context, flags: ApplyFlags): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const saved = await savedPlanOf(context, flags);
  const opened = await openWorkspace(context);
  const shown = saved === null ? ON_SCREEN : savedIn(flags.planFile ?? '', saved, opened);
  if (saved !== null) refuseOtherService(saved, opened, shown);
  const allow = saved === null ? allowancesOf(flags.allow, opened.workspace.allow) : new Set(saved.allow);
  const targeting = targetingOf(saved ?? flags, opened.workspace);
  const source = declaredSource(reconcilePorts(context), opened, { allow, targeting });
  const release = await context.files.lock(LOCK_PATH);
  try {
    const inspection = await lookUntilResolved(reconcilePorts(context), source);
    if (saved === null) refuseUnmatched(targeting, { ...inspection, declared: opened.declared });
    if (saved !== null) await refuseStale(saved, opened, inspection, flags.maxPlanAgeHours, shown);
    return await agreeAndApply(context, { opened, source, allow, targeting, flags }, inspection, format);
  } finally {
    await release();
  }
}

async function savedPlanOf(context: Context, flags: ApplyFlags): Promise<SavedPlan | null> {
  const { planFile, expect } = flags;
  if (planFile === undefined) {
    if (expect === undefined) return null;
    throw new CommandError(
      'bad-flag',
      'No plan given: --expect checks the digest of a saved plan.',
      `Use: herald apply plan.json --expect ${expect}`,
    );
  }
  const saved = await readSavedPlan(context, planFile, expect);
  refuseFlags(flags);
  return saved;
}

/** What a plan was reviewed with is part of it. */
function refuseFlags({ allow, target, exclude }: ApplyFlags): void {
  const given = Object.entries({ allow, target, exclude }).find(([, values]) => values.length > 0);
  if (given === undefined) return;
  const what = given[0] === 'allow' ? 'allowances' : 'targets';
  throw new CommandError(
    'bad-flag',
    `A saved plan carries its ${what}: --${given[0]} belongs to the plan that made it.`,
  );
}

/** What one apply works with. */
interface Run {
  readonly opened: Opened;
  readonly source: Source;
  readonly allow: ReadonlySet<Allowance>;
  readonly targeting: Targeting;
  readonly flags: ApplyFlags;
}

async function agreeAndApply(
  context: Context,
  run: Run,
  inspection: Inspection,
  format: 'text' | 'json',
): Promise<number> {
  const { plan } = inspection;
  // The result of an apply is what became of each change; what it was going to do is said beside it.
  context.output.say(drawPlan(context, plan, 'text', 'plan'));
  if (isHeldBack(plan)) throw heldBack(plan);
  const agreed = run.flags.yes ? inspection : await agree(context, run, inspection);
  const executed = await context.protect(() => carryOut(reconcilePorts(context), run.source, agreed));
  const { report } = executed;
  context.output.result(format === 'json' ? renderJson(report) : renderApplyText(report, context.output));
  return applyExit(executed, context.interrupted.aborted);
}

/** A policy denial or too many changes refuse everything, not only the change that they are about. */
function heldBack(plan: Plan): CommandError {
  const diagnostics = plan.diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  return new CommandError('held-back', refusedLine(plan, 'Nothing was changed.'), null, EXIT.blocked, {
    plan,
    diagnostics,
  });
}

/** Asks where something would be sent, and looks again afterwards; answers what is to be carried out. */
async function agree(
  context: Context,
  { opened, source, allow, targeting, flags }: Run,
  inspection: Inspection,
): Promise<Inspection> {
  const { plan, verdicts, observed, accounts, nowMs } = inspection;
  const repeats = verdicts.filter((verdict) => verdict.repeat).length;
  if (!plan.changes.some(writes) && repeats === 0) return inspection;
  if (!context.interactive) {
    throw new CommandError(
      'needs-yes',
      'There is no terminal to ask on, so nothing was changed.',
      'Review the plan, then use --yes.',
    );
  }
  if (!(await context.confirm(applyQuestion(plan, repeats))))
    throw new CommandError('declined', 'Nothing was changed.');
  // Reading takes a person longer than a list stays true: what was agreed to must still be what is live.
  const fresh = await source.look();
  const agreed = savePlan({
    plan,
    workspaceDigest: await opened.workspace.digest(),
    allow,
    targeting,
    observed,
    accounts,
    nowMs,
  });
  await refuseStale(agreed, opened, fresh, flags.maxPlanAgeHours, ON_SCREEN);
  return fresh;
}
