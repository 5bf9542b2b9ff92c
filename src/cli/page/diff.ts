import { diffPlans, hasFingerprints } from '../../plan/diff.ts';
import type { Plan } from '../../domain/change.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { renderJson } from '../../render/json.ts';
import { renderPlanDiffMarkdown, renderPlanDiffText } from '../../render/plan-diff.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { chooseFormat, PLAN_FORMATS } from '../formats.ts';
import { readPlan } from './show.ts';

/** `herald plan diff`: shows what differs between two plans. Reads only these files. */
export async function diffCommand(context: Context, first: string, second: string): Promise<number> {
  const format = chooseFormat(context, PLAN_FORMATS);
  const [before, after] = [await planIn(context, first), await planIn(context, second)];
  const diff = diffPlans({ before, after, files: { before: first, after: second } });
  context.output.result(
    format === 'json'
      ? renderJson(diff)
      : format === 'markdown'
        ? renderPlanDiffMarkdown(diff)
        : renderPlanDiffText(diff, context.output),
  );
  return EXIT.done;
}

async function planIn(context: Context, file: string): Promise<Plan> {
  const { plan } = await readPlan(context, file);
  if (hasFingerprints(plan)) return plan;
  throw new CommandError(
    'bad-plan-file',
    `${file} has no fingerprints: an earlier version of Herald made it, or it is a page of the files.`,
    `Make a new plan: ${formatCommand('plan', '--out', file)}`,
  );
}
