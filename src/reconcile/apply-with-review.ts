import type { Executed } from '../apply/execute.ts';
import type { ApplyReport, ReviewedChange } from '../domain/change.ts';
import { alreadyDone } from '../plan/review.ts';
import { applyRun, type ApplyTerms } from './apply-run.ts';
import type { ReconcilePorts } from './ports.ts';
import type { Opened } from './source.ts';

/** One apply, and its report. With a review, that also names the reviewed changes that were done before. */
export async function applyWithReview(
  ports: ReconcilePorts,
  opened: Opened,
  terms: ApplyTerms,
): Promise<{ readonly executed: Executed; readonly report: ApplyReport }> {
  const { review } = terms;
  let done: readonly ReviewedChange[] = [];
  const show: ApplyTerms['show'] = (inspection) => {
    if (review !== undefined) done = alreadyDone(review, inspection.plan);
    terms.show(inspection);
  };
  const executed = await applyRun(ports, opened, { ...terms, show });
  const { report } = executed;
  return { executed, report: review === undefined ? report : { ...report, already_done: [...done] } };
}
