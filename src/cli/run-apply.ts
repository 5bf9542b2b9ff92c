import { isPlanRefused, writes, type ApplyReport, type Outcome, type Plan } from '../domain/change.ts';
import type { ReviewedChange } from '../domain/change.ts';
import type { ExitCode } from '../domain/exit-codes.ts';
import type { Question } from '../domain/ports.ts';
import { page, shown } from '../domain/visible.ts';
import { planRefused } from '../engine/apply.ts';
import type { Look } from '../engine/look.ts';
import { describeLook } from '../library/describe-look.ts';
import type { Opened } from '../library/open.ts';
import { applyFiles, type FilesApply } from '../library/runs.ts';
import type { LeaseWait } from '../library/state-access.ts';
import { compareReviewed, findDone, type NotAsReviewed, type Review } from '../plan/review.ts';
import type { Again } from '../render/next-steps.ts';
import { drawNotAsReviewed } from '../render/versions-text.ts';
import { renderApplyText } from '../render/report-text.ts';
import { describeResults } from '../render/results.ts';
import { readCircumstances } from './circumstances.ts';
import type { Context } from './context.ts';
import type { Drawn } from './define-command.ts';
import { applyExit } from './exit-of.ts';
import { drawPlanText, listZones } from './plan-output.ts';
import { requireYes } from './question.ts';
import { runPorts } from './reporter.ts';

/** How one apply is limited, and how people agree to it. */
export interface ApplyTerms {
  readonly limits: Omit<FilesApply, 'isAgreed' | 'remotes' | 'show' | 'ask'>;
  /** What was reviewed, the plans that it is from, and the values of `--allow`. Null without a review. */
  readonly reviewed: {
    readonly review: Review;
    readonly plans: readonly Plan[];
    readonly allow: readonly string[];
  } | null;
  /** Shows each change on its own. */
  readonly expand: boolean;
  /** May refuse the plan before it is shown. */
  readonly check: (seen: Look) => void;
  /** The question before anything is sent. Null if people agreed before. */
  readonly question: ((plan: Plan) => Question) | null;
  /** How to wait for the lease, where that differs from other commands. */
  readonly wait: Partial<LeaseWait>;
}

interface AppliedFiles {
  readonly report: ApplyReport;
  readonly exit: ExitCode;
}

/** One apply: shows its plan, asks, carries it out, and says what it came to, also for what was reviewed. */
export async function runApply(context: Context, opened: Opened, terms: ApplyTerms): Promise<AppliedFiles> {
  const { reviewed, check, expand, question } = terms;
  const { waitMs, ...wait } = terms.wait;
  const ports = runPorts(context);
  let done: readonly ReviewedChange[] = [];
  let differences: readonly NotAsReviewed[] = [];
  const options: FilesApply = {
    ...terms.limits,
    isAgreed: question === null,
    remotes: context.remotes(),
    show: (seen) => {
      if (reviewed !== null) {
        done = findDone(reviewed.review, seen.plan);
        const { plan } = describeLook(opened, seen, readCircumstances(context, reviewed.allow));
        differences = reviewed.plans.flatMap((one) => compareReviewed(one, plan));
        showDifferences(context, differences);
      }
      check(seen);
      const isAgreed = question === null || reviewed !== null || terms.limits.saved !== null;
      const view = {
        expand,
        declared: seen.facts.declared,
        isBeforeResult: true,
        isAgreed: isAgreed && !expand,
      };
      // The plan goes to stderr, because the result of an apply is the outcome of each change.
      context.output.say(drawPlanText(context, seen.plan, view));
      if (isPlanRefused(seen.plan)) throw planRefused(seen.plan);
    },
    ask: async ({ plan }) => {
      if (question === null || !plan.changes.some(writes)) return 'at-once';
      await requireYes(context, question(plan), 'Nothing was changed.', 'Review the plan, then add --yes.');
      return 'waited';
    },
  };
  const { results } = await context.protect(() =>
    applyFiles({ ...ports, lockTimeoutMs: waitMs ?? ports.lockTimeoutMs }, opened, options, wait),
  );
  const exit = applyExit(results, context.interrupted.aborted);
  const report = describeResults(results);
  if (reviewed === null) return { report, exit };
  const outcomes = report.outcomes.map((outcome) => addFields(outcome, differences));
  return { report: { ...report, outcomes, already_done: [...done] }, exit };
}

/** What differs between a reviewed change and the one that is blocked instead of it. */
function showDifferences({ output }: Context, differences: readonly NotAsReviewed[]): void {
  if (differences.length === 0) return;
  output.say(
    page([shown`Not as reviewed:`, ...differences.flatMap((one) => drawNotAsReviewed(one, output))]),
  );
}

/** A blocked change with the fields that are not as reviewed. */
function addFields(outcome: Outcome, differences: readonly NotAsReviewed[]): Outcome {
  const { unreviewed } = outcome;
  if (unreviewed === undefined) return outcome;
  const own = differences.find(({ fresh }) => fresh.fingerprint === unreviewed.fingerprint);
  return { ...outcome, unreviewed: { ...unreviewed, fields: [...(own?.fields ?? [])] } };
}

/** The outcome of an apply. `again` has the commands that go on after it; null where a job goes on. */
export function drawApply(
  { output: { colour, width } }: Context,
  { declared }: Opened,
  report: ApplyReport,
  again: Again | null,
): Pick<Drawn, 'text' | 'json'> {
  return {
    text: () => renderApplyText(report, { colour, width, zones: listZones(declared) }, again),
    json: () => ({ ...report }),
  };
}
