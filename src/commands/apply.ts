import type { Context } from '../context.ts';
import type { Allowance } from '../domain/allowance.ts';
import type { Plan } from '../domain/change.ts';
import { LOCK_PATH } from '../ledger/ledger.ts';
import { writes } from '../plan/build.ts';
import { savePlan } from '../plan/saved.ts';
import { renderJson } from '../render/json.ts';
import { renderApplyText } from '../render/report-text.ts';
import { allowancesOf } from './allowances.ts';
import { carryOut } from './carry-out.ts';
import { applyExit, EXIT, isHeldBack } from './exit-codes.ts';
import { CommandError } from './failure.ts';
import { chooseFormat } from './formats.ts';
import { inspect, openWorkspace, type Inspection, type Opened } from './inspect.ts';
import { drawPlan } from './plan.ts';
import { applyQuestion } from './questions.ts';
import { readSavedPlan, refuseStale } from './saved-plan.ts';
import { inspectSettled } from './settling.ts';

export interface ApplyFlags {
  readonly allow: readonly string[];
  /** A saved plan to apply exactly; undefined to plan now. */
  readonly planFile: string | undefined;
  readonly yes: boolean;
  readonly maxPlanAgeHours: number;
}

/** `herald apply`: plan, ask, carry out, look again. */
export async function applyCommand(context: Context, flags: ApplyFlags): Promise<number> {
  const format = chooseFormat(context, ['text', 'json']);
  const saved = flags.planFile === undefined ? null : await readSavedPlan(context, flags.planFile);
  if (saved !== null && flags.allow.length > 0) {
    throw new CommandError(
      'bad-flag',
      'A saved plan carries its allowances: --allow belongs to the plan that made it.',
    );
  }
  const opened = await openWorkspace(context);
  const allow = saved === null ? allowancesOf(flags.allow, opened.workspace.allow) : new Set(saved.allow);
  const release = await context.files.lock(LOCK_PATH);
  try {
    const inspection = await inspectSettled(context, opened, allow);
    if (saved !== null)
      refuseStale(
        saved,
        opened,
        inspection,
        flags.maxPlanAgeHours,
        `The plan in ${flags.planFile ?? ''} is stale`,
      );
    return await agreeAndApply(context, opened, allow, inspection, flags, format);
  } finally {
    await release();
  }
}

async function agreeAndApply(
  context: Context,
  opened: Opened,
  allow: ReadonlySet<Allowance>,
  inspection: Inspection,
  flags: ApplyFlags,
  format: 'text' | 'json',
): Promise<number> {
  const { plan } = inspection;
  // The result of an apply is what became of each change; what it was going to do is said beside it.
  context.output.say(drawPlan(context, plan, 'text', 'plan'));
  if (isHeldBack(plan)) throw heldBack(plan);
  const agreed = flags.yes ? inspection : await agree(context, opened, allow, inspection, flags);
  const executed = await context.protect(() => carryOut(context, opened, allow, agreed));
  const { report } = executed;
  context.output.result(format === 'json' ? renderJson(report) : renderApplyText(report, context.output));
  return applyExit(executed, agreed.plan, context.interrupted.aborted);
}

/** A policy denial or too many changes hold back everything, not only the change that they are about. */
function heldBack(plan: Plan): CommandError {
  const errors = plan.diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  const words = errors.map((diagnostic) => diagnostic.message).join(' ');
  return new CommandError(
    'held-back',
    `Nothing was changed: the whole run is held back. ${words}`,
    null,
    EXIT.blocked,
    { plan },
  );
}

/** Asks where something would be sent, and looks again afterwards; answers what is to be carried out. */
async function agree(
  context: Context,
  opened: Opened,
  allow: ReadonlySet<Allowance>,
  inspection: Inspection,
  flags: ApplyFlags,
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
  const fresh = await inspect(context, opened, allow);
  const shown = savePlan({
    plan,
    workspaceDigest: opened.workspace.digest,
    allow,
    observed,
    accounts,
    nowMs,
  });
  refuseStale(shown, opened, fresh, flags.maxPlanAgeHours, 'The plan changed while it was read');
  return fresh;
}
