import type { StatusChange } from '../apply/repeat-bound.ts';
import { targetOf } from '../apply/step-status.ts';
import type { StepKind } from '../domain/change.ts';
import type { OpenEntry } from '../domain/knowledge.ts';
import { formatAddress, type Address } from '../domain/resource.ts';
import type { TargetStatus } from '../domain/status.ts';
import type { ResolveRun } from './round.ts';
import type { Inspection } from './source.ts';

/**
 * Whether something is to be done with what the end of this entry's window tells. A status change that the plan
 * repeats right away is not waited for where its window ends later than it may be repeated.
 */
export function isWorthWaiting(resolving: ResolveRun, entry: OpenEntry, look: Inspection): boolean {
  if (entry.call !== 'status' || entry.target === null) return true;
  const { accountId, address, liveId, target, sentAtMs } = entry;
  if (!asksAgainNow(look, address, liveId, target)) return true;
  return canRepeatAfter(resolving, { accountId, kind: address.kind, liveId: liveId ?? '', target }, sentAtMs);
}

/** Whether the plan asks for the same status of the same object right away. */
function asksAgainNow(
  { plan }: Inspection,
  address: Address,
  liveId: string | null,
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

/** Where the service refuses these, something is created: that must wait until no copy of them can be carried out. */
const CREATE_IF_REFUSED: readonly StepKind[] = ['reactivate', 'prove_dead'];

/**
 * A status change is repeated until it is confirmed, for two minutes in one command. Where its window ends later than
 * that, waiting for it would change nothing but the time.
 */
function canRepeatAfter(
  { ports, source, repeats }: ResolveRun,
  change: StatusChange,
  sentAtMs: number,
): boolean {
  return sentAtMs + source.settleMs - ports.clock.now() <= Math.max(0, repeats.leftMs(change));
}
