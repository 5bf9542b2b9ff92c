import { isPlanRefused, type Plan, writes } from '../domain/change.ts';
import type { Reason } from '../engine/reasons.ts';
import type { Result } from '../engine/run.ts';
import { countNoted } from '../render/summary.ts';
import { EXIT, type ExitCode } from '../domain/exit-codes.ts';

/** Blocked changes win over differences. Differences count only with `--detailed-exitcode`. */
export function planExit(plan: Plan, detailed: boolean): ExitCode {
  if (isPlanRefused(plan) || plan.summary.blocked > 0) return EXIT.blocked;
  return detailed && plan.changes.some(writes) ? EXIT.differences : EXIT.done;
}

/**
 * A change or blocked change that would make live match the files is drift. So is a message that was blocked, and what runs on an
 * account that the workspace does not name any more.
 */
export function driftExit(plan: Plan): ExitCode {
  const isBlocked = plan.changes.some(({ action }) => action === 'blocked');
  return plan.changes.some(writes) || isBlocked || countNoted(plan) > 0 ? EXIT.differences : EXIT.done;
}

/**
 * A failed change counts as applied if it changed live state, for example if it paused the old version. A state that misses
 * what was sent counts as a failed change, because a later run cannot know what this one did. After a lost lease, that other
 * run may have changed something as well.
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
export function applyExit(results: readonly Result[], interrupted: boolean): ExitCode {
  const has = (outcome: Result['outcome']) => results.some((result) => result.outcome === outcome);
  const reasons = results.flatMap((result) => result.reasons);
  if (has('unknown')) return EXIT.unknown;
  if (reasons.some((reason) => reason.kind === 'hindered' && reason.hindrance.kind === 'lease-lost'))
    return EXIT.partly;
  const isBlocked = ({ change: { action } }: Result) => action === 'blocked';
  if (interrupted && results.some((result) => result.outcome === 'not_attempted' && !isBlocked(result)))
    return EXIT.interrupted;
  const failures: readonly Reason['kind'][] = ['unrecorded', 'not-on-record', 'broke-off'];
  if (has('failed') || reasons.some(({ kind }) => failures.includes(kind)))
    return results.some(changedSomething) ? EXIT.partly : EXIT.failed;
  return results.some(isBlocked) ? EXIT.blocked : EXIT.done;
}

/** An object adopted by a `keep` or as `done` was created by an earlier run. Any other adopted object was created by this one. */
function changedSomething({
  outcome,
  change: { action, live_id: before },
  liveId,
  reasons,
}: Result): boolean {
  return (
    outcome === 'applied' ||
    // A person has stopped what was created.
    (liveId !== before &&
      reasons.some((one) => one.kind === 'hindered' && one.hindrance.kind === 'stopped-by-hand')) ||
    (outcome === 'adopted' && action !== 'keep' && action !== 'done') ||
    reasons.some(
      ({ kind }) => kind === 'old-stays-paused' || kind === 'not-on-record' || kind === 'new-is-live',
    )
  );
}
