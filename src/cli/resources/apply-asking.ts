import { planRefused } from '../../engine/apply.ts';
import { isPlanRefused, writes } from '../../domain/change.ts';
import type { Look } from '../../engine/look.ts';
import type { FilesApply } from '../../library/runs.ts';
import type { Context } from '../context.ts';
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
  check: (seen: Look) => void,
): Pick<FilesApply, 'isAgreed' | 'show' | 'ask' | 'remotes'> {
  return {
    isAgreed: flags.yes,
    remotes: context.remotes(),
    show: (seen) => {
      check(seen);
      const { plan, facts } = seen;
      // The plan goes to stderr, because the result of an apply is the outcome of each change.
      const view = { expand: flags.expand, declared: facts.declared, isBeforeResult: true };
      context.output.say(drawPlan(context, plan, view));
      if (isPlanRefused(plan)) throw planRefused(plan);
    },
    ask: async (seen) => (flags.yes || !seen.plan.changes.some(writes) ? 'at-once' : ask(context, seen.plan)),
  };
}

/** A person may have thought about the answer for a while, so the lists are read again after that. */
async function ask(context: Context, plan: Look['plan']): Promise<'waited'> {
  const hint = 'Review the plan, then add --yes.';
  await requireYes(context, applyQuestion(plan), 'Nothing was changed.', hint);
  return 'waited';
}
