import { isPlanRefused, writes, type Plan } from '../../domain/change.ts';
import type { ApplyOptions } from '../../reconcile/apply-options.ts';
import type { Inspection, Opened } from '../../reconcile/source.ts';
import { refusedLine } from '../../render/summary.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { requireYes } from '../question.ts';
import { drawPlan } from './plan.ts';
import { applyQuestion } from './questions.ts';

/** How an apply shows its plan and asks. */
interface AskFlags {
  readonly yes: boolean;
  /** Shows each change on its own. */
  readonly expand: boolean;
}

/** Shows the plan, and asks unless `--yes` is given. `check` may refuse the plan before. */
export function askingOptions(
  context: Context,
  flags: AskFlags,
  { declared }: Opened,
  check: (inspection: Inspection) => void,
): Pick<ApplyOptions, 'isAgreed' | 'check' | 'show' | 'agree' | 'protect'> {
  return {
    isAgreed: flags.yes,
    check,
    show: (inspection) => {
      // The plan goes to stderr, because the result of an apply is the outcome of each change.
      const view = { expand: flags.expand, declared, isBeforeResult: true };
      context.output.say(drawPlan(context, inspection.plan, view));
      if (isPlanRefused(inspection.plan)) throw refusedPlan(inspection.plan);
    },
    agree: async (inspection) => (flags.yes ? 'at-once' : ask(context, inspection)),
    protect: (work) => context.protect(work),
  };
}

/** The error for a refused plan. A policy denial, or too many changes, block the whole plan. */
function refusedPlan(plan: Plan): CommandError {
  const diagnostics = plan.diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  return new CommandError('held-back', refusedLine(plan, 'Nothing was changed.'), null, EXIT.blocked, {
    plan,
    diagnostics,
  });
}

/** Asks if something would be sent. The list may be too old after the answer. */
async function ask(context: Context, { plan, verdicts }: Inspection): Promise<'at-once' | 'waited'> {
  const repeats = verdicts.filter((verdict) => verdict.repeat).length;
  if (!plan.changes.some(writes) && repeats === 0) return 'at-once';
  const hint = 'Review the plan, then add --yes.';
  await requireYes(context, applyQuestion(plan, repeats), 'Nothing was changed.', hint);
  return 'waited';
}
