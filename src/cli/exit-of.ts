import type { Executed } from '../apply/execute.ts';
import { isPlanRefused, type Outcome, type Plan } from '../domain/change.ts';
import { sendsChanges } from '../domain/unconfirmed.ts';
import { blockedMessages } from '../render/without-change.ts';
import { EXIT } from './exit-codes.ts';

/** Blocked changes win over differences. Differences count only with `--detailed-exitcode`. */
export function planExit(plan: Plan, detailed: boolean): number {
  if (isPlanRefused(plan) || plan.summary.blocked > 0) return EXIT.blocked;
  return detailed && sendsChanges(plan) ? EXIT.differences : EXIT.done;
}

/**
 * A change or blocked change that would make live match the files is drift, and so is a message that was blocked. A
 * change that may be half done is drift although live shows it, because an apply is needed to finish it (CAMPAIGN-7).
 */
export function driftExit(plan: Plan): number {
  const isBlocked = plan.changes.some(({ action }) => action === 'blocked');
  return sendsChanges(plan) || isBlocked || blockedMessages(plan) > 0 ? EXIT.differences : EXIT.done;
}

type Ended = Pick<Executed, 'report' | 'residue' | 'unrecorded' | 'leaseLost'>;

/**
 * A failed change counts as applied if it changed live state, for example if it paused the old version. A ledger that
 * misses lines counts as a failed change, because a later run cannot know what this one did. After a lost lease, that
 * other run may have changed something as well.
 *
 * | unknown | interrupted | failed, or not on record | applied or left behind | blocked | exit |
 * |---------|-------------|--------------------------|------------------------|---------|------|
 * | yes     |             |                          |                        |         | 3    |
 * | lease lost            |                          |                        |         | 4    |
 * |         | yes         |                          |                        |         | 130  |
 * |         |             | yes                      | yes                    |         | 4    |
 * |         |             | yes                      | no                     |         | 1    |
 * |         |             |                          |                        | yes     | 5    |
 * |         |             |                          |                        |         | 0    |
 */
export function applyExit(
  { report, residue, unrecorded = false, leaseLost = false }: Ended,
  interrupted: boolean,
): number {
  const { unknown, failed, not_attempted: left } = report.summary;
  if (unknown > 0) return EXIT.unknown;
  if (leaseLost) return EXIT.partly;
  const blocked = report.outcomes.filter(({ action }) => action === 'blocked').length;
  if (interrupted && left > blocked) return EXIT.interrupted;
  if (failed > 0 || unrecorded)
    return residue || report.outcomes.some(changedSomething) ? EXIT.partly : EXIT.failed;
  return blocked > 0 ? EXIT.blocked : EXIT.done;
}

/** An object adopted by a `keep` or as `done` was created by an earlier run. Any other adopted object was created by this one. */
function changedSomething({ outcome, action }: Outcome): boolean {
  return outcome === 'applied' || (outcome === 'adopted' && action !== 'keep' && action !== 'done');
}
