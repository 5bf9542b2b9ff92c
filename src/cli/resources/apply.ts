import { HeraldError } from '../../domain/herald-error.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { openFiles, type Opened } from '../../library/open.ts';
import { applyFiles, type FilesApply } from '../../library/runs.ts';
import { refuseElsewhere } from '../../library/stale.ts';
import type { SavedPlan } from '../../plan/saved.ts';
import { renderJson } from '../../render/json.ts';
import type { Again } from '../../render/next-steps.ts';
import { renderApplyText } from '../../render/report-text.ts';
import type { Context } from '../context.ts';
import { workspacePorts } from '../engine-ports.ts';
import { applyExit } from '../exit-of.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { allowancesOf } from './allowances.ts';
import { askingOptions } from './apply-asking.ts';
import { applyReviewed, differencesFrom, readReviewed, type ReviewedPlan } from './reviewed.ts';
import { readPlanToApply, savedIn } from './saved-plan.ts';
import { refuseUnmatched, targetingOf, type TargetFlags } from './targets.ts';
import { zonesOf } from './zones.ts';

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
  const ports = workspacePorts(context);
  const opened = await openFiles(ports);
  const options =
    reviewed === null
      ? planApply(context, flags, opened, saved)
      : reviewedOptions(context, flags, opened, reviewed);
  const review =
    reviewed === null
      ? null
      : {
          review: reviewed.review,
          compare: differencesFrom(context, flags.allow, opened, [reviewed.saved.plan]),
        };
  const { results, report } = await applyReviewed(options, review, (given) =>
    context.protect(() => applyFiles(ports, opened, given)),
  );
  const { colour, width } = context.output;
  const style = { colour, width, zones: zonesOf(opened.declared) };
  context.output.result(
    format === 'json' ? renderJson(report) : renderApplyText(report, style, againWith(flags)),
  );
  return applyExit(results, context.interrupted.aborted);
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

function planApply(context: Context, flags: ApplyFlags, opened: Opened, saved: SavedPlan | null): FilesApply {
  const { workspace } = opened;
  const maxAgeMs = (flags.maxPlanAgeHours ?? PLAN_AGE_MAX_HOURS) * 3_600_000;
  if (saved !== null) {
    const targeting = targetingOf(saved, workspace);
    return {
      ...askingOptions(context, flags, () => undefined),
      allow: new Set(saved.allow),
      targeting,
      saved,
      named: savedIn(flags.planFile ?? '', saved, opened),
      maxAgeMs,
    };
  }
  const targeting = targetingOf(flags, workspace);
  return {
    ...askingOptions(context, flags, (seen) => refuseUnmatched(targeting, seen)),
    allow: allowancesOf(flags.allow, workspace.allow),
    targeting,
    saved,
    named: { what: 'The plan is stale', hint: `Run ${formatCommand('apply')} again.` },
    maxAgeMs,
  };
}

/** Plans now, with the targets of the review and the allowances of this run, and applies what was reviewed. */
function reviewedOptions(
  context: Context,
  flags: ApplyFlags,
  opened: Opened,
  { file, saved, review, refuseAt }: ReviewedPlan,
): FilesApply {
  const { workspace } = opened;
  const named = savedIn(file, saved, opened);
  refuseElsewhere(saved, workspace.service.identity, { named, remotes: context.remotes() });
  return {
    // The latest time that it can be, so the older age counts.
    ...askingOptions(context, flags, ({ facts }) => refuseAt(facts.time.latestMs)),
    allow: allowancesOf(flags.allow, workspace.allow),
    targeting: targetingOf(saved, workspace),
    permissions: () => Promise.resolve({ review }),
    named,
    saved: null,
    maxAgeMs: 0,
  };
}

/** Of a saved plan that is applied exactly. */
const PLAN_AGE_MAX_HOURS = 24;

async function savedPlanOf(context: Context, flags: ApplyFlags): Promise<SavedPlan | null> {
  const { planFile, expect } = flags;
  if (planFile === undefined) {
    if (expect === undefined) return null;
    throw new HeraldError(
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
  throw new HeraldError(
    'bad-flag',
    `A saved plan has its own ${what}. Use --${given[0]} with ${formatCommand('plan')} instead.`,
  );
}
