import type { Executed } from '../apply/execute.ts';
import { reportOf } from '../apply/merge-reports.ts';
import type { Outcome } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';
import type { Newcomers } from './not-again.ts';
import type { Inspection } from './source.ts';

const ABSENT =
  'Not created: the service did not answer twice, and the complete list, read after the waiting time, does not show it. Nothing is live under this name. Run herald apply again when the service answers.';

/**
 * Says that a create without an answer had no effect, after no request for it can succeed any more and the plan of a
 * complete list would create it. Nothing is new under its name. It stays unknown: the service never confirmed that.
 */
export function sayAbsent(
  executed: Executed,
  { plan, knowledge }: Inspection,
  newcomers: Newcomers,
): Executed {
  const inDoubt = new Set([
    ...newcomers.keys(),
    ...knowledge.open.map(({ address }) => formatAddress(address)),
  ]);
  const absent = new Set(
    plan.changes.filter(({ action }) => action === 'create').map(({ address }) => formatAddress(address)),
  );
  const outcomes = executed.report.outcomes.map((outcome): Outcome => {
    const key = formatAddress(outcome.address);
    const isLost = outcome.outcome === 'unknown' && outcome.action === 'create' && outcome.live_id === null;
    return isLost && absent.has(key) && !inDoubt.has(key) ? { ...outcome, message: ABSENT } : outcome;
  });
  return { ...executed, report: reportOf(outcomes) };
}
