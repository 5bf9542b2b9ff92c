import type { Context } from '../context.ts';
import type { PrintedPlan } from '../../domain/change.ts';
import { shown, type Visible } from '../../domain/visible.ts';
import { renderJson } from '../../render/json.ts';
import { renderPlanMarkdown } from '../../render/plan-markdown.ts';
import { renderPlanText } from '../../render/plan-text.ts';
import { allowancesOf } from './allowances.ts';
import { driftExit, planExit } from '../exit-of.ts';
import { chooseFormat, PLAN_FORMATS, type PlanFormat } from '../formats.ts';
import { look } from '../../reconcile/look.ts';
import { openFiles } from '../../library/open.ts';
import { savedPlanOf } from '../../reconcile/apply-run.ts';
import { workspacePorts } from '../engine-ports.ts';
import { inShell } from '../../render/in-shell.ts';
import { writeSavedPlan } from './saved-plan.ts';
import { refuseUnmatched, targetingOf, type TargetFlags } from './targets.ts';

export interface PlanFlags extends TargetFlags {
  readonly allow: readonly string[];
  /** File to save the plan in, for `apply`. */
  readonly out: string | undefined;
  readonly detailedExitcode: boolean;
}

/** `herald plan`: shows what `apply` would do. Sends only GETs. */
export async function planCommand(context: Context, flags: PlanFlags): Promise<number> {
  const format = chooseFormat(context, PLAN_FORMATS);
  const ports = workspacePorts(context);
  const opened = await openFiles(ports);
  const allow = allowancesOf(flags.allow, opened.workspace.allow);
  const targeting = targetingOf(flags, opened.workspace);
  const inspection = await look(ports, opened, { allow, targeting });
  refuseUnmatched(targeting, { ...inspection, declared: opened.declared });
  const { plan } = inspection;
  let printed: PrintedPlan = plan;
  if (flags.out !== undefined) {
    const saved = await savedPlanOf(opened, { allow, targeting }, inspection);
    const digest = await writeSavedPlan(context, flags.out, saved);
    printed = { ...plan, saved: { file: flags.out, digest } };
    context.output.say(shown`Plan written to ${flags.out}, ${digest}.`);
    context.output.say(
      shown`To apply exactly this plan: herald apply ${inShell(flags.out)} --expect ${digest}`,
    );
  }
  context.output.result(drawPlan(context, printed, format, 'plan'));
  return planExit(plan, flags.detailedExitcode);
}

/** `herald drift`: shows differences between live and the files. Sends only GETs. */
export async function driftCommand(context: Context, flags: TargetFlags): Promise<number> {
  const format = chooseFormat(context, PLAN_FORMATS);
  const ports = workspacePorts(context);
  const opened = await openFiles(ports);
  const targeting = targetingOf(flags, opened.workspace);
  const inspection = await look(ports, opened, {
    allow: new Set(opened.workspace.allow),
    targeting,
  });
  refuseUnmatched(targeting, { ...inspection, declared: opened.declared });
  const { plan } = inspection;
  context.output.result(drawPlan(context, plan, format, 'drift'));
  return driftExit(plan);
}

export function drawPlan(
  context: Context,
  plan: PrintedPlan,
  format: PlanFormat,
  title: 'plan' | 'drift',
): Visible {
  const { colour, width } = context.output;
  if (format === 'json') return renderJson(plan);
  return format === 'markdown' ? renderPlanMarkdown(plan) : renderPlanText(plan, { colour, width, title });
}
