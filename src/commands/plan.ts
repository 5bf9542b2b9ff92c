import { readCircumstances, readCircumstancesToSave } from '../cli/circumstances.ts';
import type { Context } from '../cli/context.ts';
import { defineCommand } from '../cli/define-command.ts';
import { runPorts } from '../cli/engine-ports.ts';
import { planExit } from '../cli/exit-of.ts';
import { allowFlag, choiceFlag, switchFlag, textFlag } from '../cli/flags.ts';
import { PLAN_FORMATS } from '../cli/formats.ts';
import {
  chooseScope,
  expandFlag,
  pageFlag,
  readAllowances,
  readTargets,
  refuseUnmatched,
  repeatFlags,
  targetFlags,
} from '../cli/plan-flags.ts';
import { drawPlan, publishPlan } from '../cli/plan-output.ts';
import { printResult } from '../cli/run-command.ts';
import { type PlanKey, MAKE_KEY, readPlanKey, writeSavedPlan } from '../cli/saved-plan.ts';
import type { PrintedPlan } from '../domain/change.ts';
import { fileArgument, formatCommand } from '../domain/command-line.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { shown } from '../domain/visible.ts';
import { describeLook, saveLook } from '../library/describe-look.ts';
import type { Opened } from '../library/open.ts';
import { lookAt } from '../library/runs.ts';
import type { Targeting } from '../plan/facts.ts';

/** Shows what `apply` would do. Sends only reads. */
export const plan = defineCommand({
  path: 'plan',
  about: 'show what apply would do; sends only reads',
  examples: [
    'herald plan --detailed-exitcode',
    'herald plan --out plan.json --html plan.html --allow resume',
    "herald plan --target 'alice/campaign/Welcome*'",
    'herald plan --scope changed --base main',
  ],
  formats: PLAN_FORMATS,
  flags: {
    ...targetFlags,
    expand: expandFlag,
    html: pageFlag,
    scope: choiceFlag('--scope <which>', 'plan all resources, or only those that differ from --base', [
      'all',
      'changed',
    ]),
    base: textFlag('--base <commit>', 'commit or branch that --scope changed compares the files with'),
    out: textFlag('--out <file>', 'save the plan, to apply exactly this one later'),
    sign: switchFlag('--sign', 'sign the saved plan with the key in HERALD_PLAN_KEY'),
    allow: allowFlag,
    detailedExitcode: switchFlag('--detailed-exitcode', 'exit 2 if there are changes'),
  },
  needs: 'workspace',
  run: async (context, given, opened) => {
    const { format, out, html, expand } = given;
    // Before anything is asked, because a plan without its signature would be of no use.
    const key = given.sign ? requireKey(context, out) : null;
    const { workspace, declared } = opened;
    const targets = readTargets(given, workspace);
    const targeting =
      given.scope === 'all' ? refuseBase(given, targets) : await narrow(context, given, opened);
    const limits = { allow: readAllowances(given.allow, workspace.allow), targeting: targeting ?? targets };
    const seen = await lookAt(runPorts(context), opened, limits);
    const circumstances =
      out === undefined
        ? readCircumstances(context, given.allow)
        : await readCircumstancesToSave(context, given.allow, opened);
    // Text and Markdown show what differs. JSON, a page and a saved plan also tell what the files declare.
    const contents = format === 'json' || html !== undefined || out !== undefined;
    const described = describeLook(opened, seen, circumstances, { contents });
    // A branch may remove what is not live any more. That is not an error.
    if (limits.targeting === targets) refuseUnmatched(targets, described);
    let printed: PrintedPlan = described.plan;
    if (out !== undefined) {
      const digest = await writeSavedPlan(context, out, await saveLook(opened, limits, described), key);
      printed = { ...printed, saved: { file: out, digest } };
      const apply = formatCommand('apply', fileArgument(out), '--expect', digest);
      context.output.say(shown`Plan written to ${out}, ${digest}.`);
      context.output.say(shown`To apply exactly this plan: ${apply}`);
    }
    await publishPlan(context, described.plan, { title: 'plan', declared, html });
    await printResult(context, format, drawPlan(context, printed, { expand, declared }));
    const exit = planExit(described.plan, true);
    if (format === 'text' && out === undefined && given.scope === 'all' && exit === EXIT.differences) {
      const { target, exclude, allow } = given;
      context.output.say(shown`Next: ${formatCommand('apply', ...repeatFlags({ target, exclude, allow }))}`);
    }
    return planExit(described.plan, given.detailedExitcode);
  },
});

function requireKey(context: Context, out: string | undefined): PlanKey {
  if (out === undefined)
    throw new HeraldError(
      'bad-flag',
      '--sign signs a saved plan, but --out is missing.',
      'Add --out plan.json.',
    );
  const key = readPlanKey(context);
  if (key === null) throw new HeraldError('plan-key', '--sign needs a key in HERALD_PLAN_KEY.', MAKE_KEY);
  return key;
}

interface ScopeFlags extends Targeting {
  readonly base: string | undefined;
}

function refuseBase({ base }: ScopeFlags, targets: Targeting): Targeting {
  if (base === undefined) return targets;
  throw new HeraldError('bad-flag', '--base has no effect without --scope changed.', 'Add --scope changed.');
}

/** The targets of `--scope changed`. Null for everything. */
async function narrow(
  context: Context,
  { base, target, exclude }: ScopeFlags,
  opened: Opened,
): Promise<Targeting | null> {
  if (base === undefined)
    throw new HeraldError(
      'bad-flag',
      '--scope changed needs a commit or branch to compare with.',
      `Use: ${formatCommand('plan', '--scope', 'changed', '--base', 'main')}`,
    );
  if (target.length + exclude.length > 0)
    throw new HeraldError(
      'bad-flag',
      '--scope changed chooses the resources, so it cannot be combined with --target or --exclude.',
      'Use one or the other.',
    );
  const scope = await chooseScope(context, opened, { base, head: null });
  return scope.kind === 'all' ? null : scope.targeting;
}
