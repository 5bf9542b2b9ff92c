import type { StatusChange } from '../apply/repeat-bound.ts';
import { targetOf } from '../apply/step-status.ts';
import type { StepKind } from '../domain/change.ts';
import type { LiveId } from '../domain/ids.ts';
import type { OpenEntry } from '../domain/knowledge.ts';
import { formatAddress, type Address } from '../domain/resource.ts';
import type { TargetStatus } from '../domain/status.ts';
import type { ResolveRun } from './round.ts';
import type { Inspection } from './source.ts';

/**
 * True if the end of this entry's window changes what the run does. A status change that the plan repeats anyway is
 * not waited for if its window ends after the last repeat.
 */
export function isWorthWaiting(resolving: ResolveRun, entry: OpenEntry, look: Inspection): boolean {
  if (entry.call !== 'status' || entry.target === null) return true;
  const { accountId, address, liveId, target, sentAtMs } = entry;
  if (!asksAgainNow(look, address, liveId, target)) return true;
  return canRepeatAfter(resolving, { accountId, kind: address.kind, liveId: liveId ?? '', target }, sentAtMs);
}

/** True if the plan sets the same status of the same object now. */
function asksAgainNow(
  { plan }: Inspection,
  address: Address,
  liveId: LiveId | null,
  target: TargetStatus,
): boolean {
  const steps = plan.changes
    .filter((change) => formatAddress(change.address) === formatAddress(address))
    .flatMap((change) => change.steps);
  return (
    steps.some(({ kind, live_id: id }) => id === liveId && targetOf(kind) === target) &&
    !steps.some(({ kind }) => CREATE_IF_REFUSED.includes(kind))
  );
}

/** If the service refuses these steps, something is created. That must wait until no other copy can succeed. */
const CREATE_IF_REFUSED: readonly StepKind[] = ['reactivate', 'prove_dead'];

/**
 * A status change is repeated until it is confirmed, for up to two minutes per command. If its window ends later,
 * waiting would change nothing.
 */
function canRepeatAfter(
  { ports, source, repeats }: ResolveRun,
  change: StatusChange,
  sentAtMs: number,
): boolean {
  return sentAtMs + source.settleMs - ports.clock.now() <= Math.max(0, repeats.leftMs(change));
}
