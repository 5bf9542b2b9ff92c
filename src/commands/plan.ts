import type { Scope } from '../ci/scope.ts';
import type { Context } from '../cli/context.ts';
import { defineCommand, PLAN_FORMATS } from '../cli/define-command.ts';
import { allowFlag, choiceFlag, switchFlag, textFlag } from '../cli/flags.ts';
import { describeBranch, makePlan, planFlags, repeatFlags, printPlan } from '../cli/make-plan.ts';
import { MAKE_KEY, PlanKey, writeSavedPlan } from '../cli/saved-plan.ts';
import { isPlanRefused, type Plan, type PrintedPlan, writes } from '../domain/change.ts';
import { fileArgument, formatCommand, formatPath } from '../domain/command-line.ts';
import { EXIT, type ExitCode } from '../domain/exit-codes.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { page, shown } from '../domain/visible.ts';
import type { Opened } from '../library/connect.ts';
import type { Targeting } from '../plan/facts.ts';
import { readDeclared } from '../render/entries.ts';
import { allowSteps } from '../render/summary.ts';

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
    ...planFlags,
    scope: choiceFlag(
      '--scope <which>',
      'plan all resources, or only those that differ from --base',
      ['all', 'changed'],
      'all',
    ),
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
    const scope = await readScope(context, given, opened);
    const seen = await makePlan(context, opened, {
      targeting: scope?.targeting ?? given,
      allow: given.allow,
      contents: format === 'json' || html !== undefined || out !== undefined,
      isSaved: out !== undefined,
      isCompared: scope !== null,
    });
    // Only the job of a merge applies there.
    const isOnBranch = (await context.state.location()).kind === 'branch';
    let printed: PrintedPlan = seen.plan;
    if (out !== undefined) {
      const digest = await writeSavedPlan(context, seen, { path: out, key });
      printed = { ...printed, saved: { file: out, digest } };
      const apply = formatCommand('apply', fileArgument(out), '--expect', digest);
      context.output.say(shown`Plan written to ${formatPath(out)}, ${digest}.`);
      if (!isOnBranch) context.output.say(shown`To apply exactly this plan: ${apply}`);
    }
    const { target, exclude, allow } = given;
    const limits = repeatFlags({ target, exclude });
    await printPlan(context, printed, { ...readDeclared(opened.declared), expand, limits }, { format, html });
    const isWhole = out === undefined && scope === null;
    const mayApply = format === 'text' && isWhole && !isPlanRefused(seen.plan);
    if (mayApply && seen.plan.changes.some(writes)) {
      const next = isOnBranch
        ? 'merge a pull request with these files, and its job applies them. For what differs only on the service, add ci: { scope: all } to herald.yaml in it.'
        : formatCommand('apply', ...limits, ...repeatFlags({ allow }));
      context.output.say(shown`Next: ${next}`);
    }
    const apply = formatCommand('apply', ...repeatFlags({ allow }));
    const steps = mayApply && !isOnBranch ? allowSteps(seen.plan.changes, apply) : [];
    if (steps.length > 0) context.output.say(page(steps.flatMap((step) => step.draw(context.output))));
    const instead = mayApply && seen.plan.summary.blocked > 0 ? await describeBranch(context) : null;
    if (instead !== null) context.output.say(instead);
    return planExit(seen.plan, given.detailedExitcode);
  },
});

function requireKey(context: Context, out: string | undefined): PlanKey {
  if (out === undefined)
    throw new HeraldError(
      'bad-flag',
      '--sign signs a saved plan, but --out is missing.',
      'Add --out plan.json.',
    );
  const key = PlanKey.read(context);
  if (key === null) throw new HeraldError('plan-key', '--sign needs a key in HERALD_PLAN_KEY.', MAKE_KEY);
  return key;
}

/** Blocked changes win over differences. Differences count only with `--detailed-exitcode`. */
function planExit(plan: Plan, detailed: boolean): ExitCode {
  if (isPlanRefused(plan) || plan.summary.blocked > 0) return EXIT.blocked;
  return detailed && plan.changes.some(writes) ? EXIT.differences : EXIT.done;
}

/** What `--scope changed` leaves. Null without it. */
async function readScope(
  context: Context,
  { scope, base, target, exclude }: Targeting & { readonly scope: string; readonly base: string | undefined },
  opened: Opened,
): Promise<Scope | null> {
  if ((scope === 'changed') !== (base !== undefined))
    throw new HeraldError(
      'bad-flag',
      '--scope changed and --base belong together: the commit or branch to compare with.',
      `Use: ${formatCommand('plan', '--scope', 'changed', '--base', 'main')}`,
    );
  if (base === undefined) return null;
  if (target.length + exclude.length > 0)
    throw new HeraldError(
      'bad-flag',
      '--scope changed chooses the resources, so it cannot be combined with --target or --exclude.',
      'Use one or the other.',
    );
  // Most plans compare no commits.
  const { chooseScope } = await import('../ci/scope.ts');
  return chooseScope(context, opened, { base, head: null });
}
