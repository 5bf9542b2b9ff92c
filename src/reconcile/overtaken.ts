import { targetOf } from '../apply/step-status.ts';
import { notRepeated, restarts, type Verdict } from '../apply/verdict.ts';
import type { Change, ChangeKind, Plan } from '../domain/change.ts';

/** Kinds that stop an object and start nothing. */
const STOPS: readonly ChangeKind[] = ['retire', 'pause', 'archive', 'recall'];

/**
 * The verdicts, without the repeats that a stop of the same object makes needless. A half-done activation that is repeated
 * first would delay the stop, and one that is repeated later would undo it.
 *
 * | the plan stops the object as           | a half-done activation | a half-done stop |
 * |----------------------------------------|------------------------|------------------|
 * | a stop or a recall                     | not repeated           | not repeated     |
 * | the old version of a replace           | not repeated           | repeated first   |
 */
export function withoutOvertaken(
  verdicts: readonly Verdict[],
  { changes }: Pick<Plan, 'changes'>,
): readonly Verdict[] {
  return verdicts.map((verdict) => {
    const { conclusion, repeat, entry } = verdict;
    if (!repeat || conclusion === null) return verdict;
    const isOvertaken = changes.some(
      (change) => (restarts(verdict) || STOPS.includes(change.action)) && overtakes(change, entry),
    );
    return isOvertaken ? notRepeated(verdict) : verdict;
  });
}

function overtakes({ address, steps }: Change, entry: Verdict['entry']): boolean {
  if (entry.call !== 'status' || address.account !== entry.address.account) return false;
  return steps.some(({ kind, live_id: id }) => {
    const target = targetOf(kind);
    return id === entry.liveId && (kind === 'recall' || (target !== null && target !== entry.target));
  });
}
