import { EXIT } from '../../domain/exit-codes.ts';
import type { ApplyReport, Outcome, Plan, ReviewedChange } from '../../domain/change.ts';
import { page, shown } from '../../domain/visible.ts';
import type { Applied } from '../../engine/apply.ts';
import type { Look } from '../../engine/look.ts';
import { describeLook } from '../../library/describe-look.ts';
import type { Opened } from '../../library/open.ts';
import type { FilesApply } from '../../library/runs.ts';
import { compareReviewed, findDone, reviewPlan, type NotAsReviewed, type Review } from '../../plan/review.ts';
import { agePast, type SavedPlan } from '../../plan/saved.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { describeResults } from '../../render/results.ts';
import { drawNotAsReviewed } from '../../render/not-as-reviewed.ts';
import type { Context } from '../context.ts';
import { circumstancesOf } from './circumstances.ts';
import { readPlanToApply } from './saved-plan.ts';
import type { TargetFlags } from './targets.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/** The flags of an apply that have a meaning next to `--reviewed`, or none. */
interface ReviewFlags extends TargetFlags {
  readonly reviewed: string | undefined;
  readonly planFile: string | undefined;
  readonly expect: string | undefined;
  readonly maxPlanAgeHours: number | undefined;
}

/** A saved plan of which only the fingerprints count. */
export interface ReviewedPlan {
  readonly file: string;
  readonly saved: SavedPlan;
  readonly review: Review;
  /** Throws if it is too old at that time, in epoch milliseconds. */
  readonly refuseAt: (nowMs: number) => void;
}

/** The plan of `--reviewed`; null without it. */
export async function readReviewed(context: Context, flags: ReviewFlags): Promise<ReviewedPlan | null> {
  const { reviewed: file, planFile, expect, target, exclude, maxPlanAgeHours } = flags;
  if (file === undefined) return null;
  if (planFile !== undefined)
    throw new HeraldError(
      'bad-flag',
      'Two plans given. PLAN applies exactly that plan or nothing; --reviewed plans again and applies what was reviewed.',
      `Use one of them: ${formatCommand('apply', '--reviewed', file)}`,
    );
  if (target.length > 0 || exclude.length > 0)
    throw new HeraldError(
      'bad-flag',
      `A reviewed plan has its own targets. Use --target and --exclude with ${formatCommand('plan')} instead.`,
    );
  const saved = await readPlanToApply(context, file, expect);
  const refuseAt = (nowMs: number) => {
    if (maxPlanAgeHours === undefined) return;
    refuseAge(file, agePast(saved, { nowMs, maxAgeMs: maxPlanAgeHours * 3_600_000 }));
  };
  // This machine's clock may be behind, so the service's is asked, too. A plan that is too old by this one needs no request.
  refuseAt(Math.max(context.clock.now(), Date.parse(saved.created_at) || 0));
  return { file, saved, review: reviewPlan(saved.plan), refuseAt };
}

/**
 * Compares the plan of this apply with the reviewed ones. Shows what differs between a reviewed change and the one that is
 * blocked instead of it.
 */
export function differencesFrom(
  context: Context,
  allow: readonly string[],
  opened: Opened,
  reviewed: readonly Plan[],
): (seen: Look) => readonly NotAsReviewed[] {
  return (seen) => {
    const fresh = describeLook(opened, seen, circumstancesOf(context, allow)).plan;
    const all = reviewed.flatMap((plan) => compareReviewed(plan, fresh));
    if (all.length > 0)
      context.output.say(
        page([shown`Not as reviewed:`, ...all.flatMap((one) => drawNotAsReviewed(one, context.output))]),
      );
    return all;
  };
}

interface Compared {
  readonly review: Review;
  readonly compare: (seen: Look) => readonly NotAsReviewed[];
}

/** One apply, and its report. With a review, that also names the reviewed changes that were done before. */
export async function applyReviewed(
  options: FilesApply,
  reviewed: Compared | null,
  apply: (options: FilesApply) => Promise<Applied>,
): Promise<{ readonly results: Applied['results']; readonly report: ApplyReport }> {
  let done: readonly ReviewedChange[] = [];
  let differences: readonly NotAsReviewed[] = [];
  const show = (seen: Look) => {
    if (reviewed !== null) {
      done = findDone(reviewed.review, seen.plan);
      differences = reviewed.compare(seen);
    }
    options.show(seen);
  };
  const { results } = await apply({ ...options, show });
  const report = describeResults(results);
  if (reviewed === null) return { results, report };
  const outcomes = report.outcomes.map((outcome) => withFields(outcome, differences));
  return { results, report: { ...report, outcomes, already_done: [...done] } };
}

/** A blocked change with the fields that are not as reviewed. */
function withFields(outcome: Outcome, differences: readonly NotAsReviewed[]): Outcome {
  const { unreviewed } = outcome;
  if (unreviewed === undefined) return outcome;
  const own = differences.find(({ fresh }) => fresh.fingerprint === unreviewed.fingerprint);
  return { ...outcome, unreviewed: { ...unreviewed, fields: [...(own?.fields ?? [])] } };
}

/**
 * A review has no age by itself, because its fingerprints show what is still as reviewed. So `age` is asked only with
 * `--max-plan-age`.
 */
function refuseAge(file: string, age: string | null): void {
  if (age === null) return;
  throw new HeraldError(
    'stale-plan',
    `The plan in ${file} is stale, so nothing was changed: ${age}.`,
    newPlan(file),
    { exit: EXIT.blocked },
  );
}

function newPlan(file: string): string {
  return `Make a new plan and review it: ${formatCommand('plan', '--out', file)}`;
}
