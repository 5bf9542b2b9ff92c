import type { Executed } from '../apply/execute.ts';
import type { ApplyReport, Outcome, ReviewedChange } from '../domain/change.ts';
import type { NotAsReviewed } from '../plan/not-as-reviewed.ts';
import { alreadyDone } from '../plan/review.ts';
import type { ApplyOptions } from './apply-options.ts';
import { applyRun } from './apply-run.ts';
import type { ReconcilePorts } from './ports.ts';
import type { Inspection, Opened } from './source.ts';

/** The options of an apply with a review. */
export interface ReviewOptions extends ApplyOptions {
  /** What differs between reviewed changes and those that are blocked because of it. */
  readonly differences?: (inspection: Inspection) => readonly NotAsReviewed[];
}

/** One apply, and its report. With a review, that also names the reviewed changes that were done before. */
export async function applyWithReview(
  ports: ReconcilePorts,
  opened: Opened,
  options: ReviewOptions,
): Promise<{ readonly executed: Executed; readonly report: ApplyReport }> {
  const { review } = options;
  let done: readonly ReviewedChange[] = [];
  let differences: readonly NotAsReviewed[] = [];
  const show: ApplyOptions['show'] = (inspection) => {
    if (review !== undefined) done = alreadyDone(review, inspection.plan);
    differences = options.differences?.(inspection) ?? [];
    options.show(inspection);
  };
  const executed = await applyRun(ports, opened, { ...options, show });
  const outcomes = executed.report.outcomes.map((outcome) => withFields(outcome, differences));
  const report = { ...executed.report, outcomes };
  return { executed, report: review === undefined ? report : { ...report, already_done: [...done] } };
}

/** A blocked change with the fields that are not as reviewed. */
function withFields(outcome: Outcome, differences: readonly NotAsReviewed[]): Outcome {
  const { unreviewed } = outcome;
  if (unreviewed === undefined) return outcome;
  const { fingerprint } = unreviewed;
  const own = differences.find(({ fresh }) => fresh.fingerprint === fingerprint);
  return { ...outcome, unreviewed: { ...unreviewed, fields: [...(own?.fields ?? [])] } };
}
