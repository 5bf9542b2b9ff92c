import type { Context } from '../context.ts';
import { openFiles } from '../../library/open.ts';
import type { SavedPlan } from '../../plan/saved.ts';
import type { ApplyOptions } from '../../reconcile/apply-options.ts';
import type { Opened, RunOptions } from '../../reconcile/source.ts';
import { applyWithReview, type ReviewOptions } from '../../reconcile/apply-with-review.ts';
import { refuseElsewhere, type NamedPlan } from '../../reconcile/stale.ts';
import { formatCommand } from '../../domain/command-line.ts';
import type { Again } from '../../render/next-steps.ts';
import { renderJson } from '../../render/json.ts';
import { renderApplyText } from '../../render/report-text.ts';
import { workspacePorts } from '../engine-ports.ts';
import { applyExit } from '../exit-of.ts';
import { CommandError } from '../failure.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { allowancesOf } from './allowances.ts';
import { differencesFrom, readReviewed, type ReviewedPlan } from './reviewed.ts';
import { askingOptions } from './apply-asking.ts';
import { readPlanToApply, savedIn } from './saved-plan.ts';
import { zonesOf } from './zones.ts';
import { refuseUnmatched, targetingOf, type TargetFlags } from './targets.ts';

export interface ApplyFlags extends TargetFlags {
  readonly allow: readonly string[];
  /** A saved plan to apply exactly. Undefined to plan now. */
  readonly planFile: string | undefined;
  /** A saved plan that limits what is applied. */
  readonly reviewed: string | undefined;
  /** The reviewed digest or its beginning, in hex. Undefined accepts any plan. */
  readonly expect: string | undefined;
  readonly yes: boolean;
  /** Shows each change on its own. */
  readonly expand: boolean;
  /** Undefined for the default. */
  readonly maxPlanAgeHours: number | undefined;
}

/** `herald apply`: plans, asks, applies and verifies. */
export async function applyCommand(context: Context, flags: ApplyFlags): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const reviewed = await readReviewed(context, flags);
  const saved = reviewed === null ? await savedPlanOf(context, flags) : null;
  const ports = workspacePorts(context, 'apply');
  const opened = await openFiles(ports);
  const options =
    reviewed === null
      ? optionsOf(context, flags, opened, saved)
      : termsWithReview(context, flags, opened, reviewed);
  const { executed, report } = await applyWithReview(ports, opened, options);
  const { colour, width } = context.output;
  const style = { colour, width, zones: zonesOf(opened.declared) };
  context.output.result(
    format === 'json' ? renderJson(report) : renderApplyText(report, style, againWith(flags)),
  );
  return applyExit(executed, context.interrupted.aborted);
}

/** The commands that go on after this apply. If the plan was reviewed, the next one is reviewed as well. */
function againWith({ planFile, reviewed, allow, target, exclude }: ApplyFlags): Again {
  const file = planFile ?? reviewed;
  if (file !== undefined) {
    const command = formatCommand('plan', '--out', file);
    return { command, same: command };
  }
  const flags = Object.entries({ allow, target, exclude }).flatMap(([flag, values]) =>
    values.flatMap((value) => [`--${flag}`, value]),
  );
  return { command: formatCommand('apply'), same: formatCommand('apply', ...flags) };
}

function optionsOf(
  context: Context,
  flags: ApplyFlags,
  opened: Opened,
  saved: SavedPlan | null,
): ApplyOptions {
  const options = saved === null ? optionsNow(flags, opened) : optionsOfSaved(context, flags, opened, saved);
  return {
    ...askingOptions(context, flags, opened, (inspection) => {
      if (saved === null) refuseUnmatched(options.targeting, { ...inspection, declared: opened.declared });
    }),
    ...options,
    saved,
    maxAgeMs: (flags.maxPlanAgeHours ?? PLAN_AGE_MAX_HOURS) * 3_600_000,
  };
}

/** Plans now, with the targets of the review and the allowances of this run, and applies what was reviewed. */
function termsWithReview(
  context: Context,
  flags: ApplyFlags,
  opened: Opened,
  { file, saved, review, refuseAt }: ReviewedPlan,
): ReviewOptions {
  const named = savedIn(file, saved, opened);
  refuseElsewhere(saved, opened, { named, remotes: context.remotes() });
  return {
    // The latest time that it can be, so the older age counts (decision 18).
    ...askingOptions(context, flags, opened, ({ nowMs }) => refuseAt(nowMs)),
    differences: differencesFrom(context, flags.allow, opened, [saved.plan]),
    allow: allowancesOf(flags.allow, opened.workspace.allow),
    targeting: targetingOf(saved, opened.workspace),
    named,
    review,
    saved: null,
    maxAgeMs: 0,
  };
}

/** Of a saved plan that is applied exactly. */
const PLAN_AGE_MAX_HOURS = 24;

type ChosenOptions = RunOptions & { readonly named: NamedPlan };

function optionsNow(flags: ApplyFlags, { workspace }: Opened): ChosenOptions {
  const named = { what: 'The plan is stale', hint: `Run ${formatCommand('apply')} again.` };
  return {
    allow: allowancesOf(flags.allow, workspace.allow),
    targeting: targetingOf(flags, workspace),
    named,
  };
}

/** The options of a saved plan. Throws if it was made for another service or workspace. */
function optionsOfSaved(
  { remotes }: Context,
  { planFile = '' }: ApplyFlags,
  opened: Opened,
  saved: SavedPlan,
): ChosenOptions {
  const named = savedIn(planFile, saved, opened);
  refuseElsewhere(saved, opened, { named, remotes: remotes() });
  return { allow: new Set(saved.allow), targeting: targetingOf(saved, opened.workspace), named };
}

async function savedPlanOf(context: Context, flags: ApplyFlags): Promise<SavedPlan | null> {
  const { planFile, expect } = flags;
  if (planFile === undefined) {
    if (expect === undefined) return null;
    throw new CommandError(
      'bad-flag',
      'No plan given: --expect checks the digest of a saved plan.',
      `Use: ${formatCommand('apply', 'plan.json', '--expect', expect)}`,
    );
  }
  const saved = await readPlanToApply(context, planFile, expect);
  refuseFlags(flags);
  return saved;
}

/** Refuses flags that belong to the saved plan, because it was reviewed with them. */
function refuseFlags({ allow, target, exclude }: ApplyFlags): void {
  const given = Object.entries({ allow, target, exclude }).find(([, values]) => values.length > 0);
  if (given === undefined) return;
  const what = given[0] === 'allow' ? 'allowances' : 'targets';
  throw new CommandError(
    'bad-flag',
    `A saved plan has its own ${what}. Use --${given[0]} with ${formatCommand('plan')} instead.`,
  );
}
