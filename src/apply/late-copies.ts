import type { LiveId } from '../domain/ids.ts';
import { objectKey } from '../domain/knowledge.ts';
import type { TargetStatus } from '../domain/status.ts';
import type { LateStatusChange } from '../ledger/late-status-changes.ts';
import { FRESH_MS } from '../ledger/ledger-errors.ts';
import { ensureAgesKnown } from '../live/hear-clock.ts';
import { waitOut } from '../requests/settle-window.ts';
import type { StepContext } from './step-context.ts';

/** Copies of status changes that got no answer: each may still be carried out until its window is over. */

const NEVER = new AbortController().signal;

/**
 * A copy of an earlier change to another status may still land and undo this one (ERROR-8). A change
 * that has begun is waited for to its end; one that has not is left to an interrupt.
 */
export async function untilNoOtherCanLand(
  context: StepContext,
  liveId: LiveId,
  target: TargetStatus,
): Promise<void> {
  const others = copiesOf(context, liveId).filter((copy) => copy.target !== target);
  if (others.length > 0) await waitFor(context, others, context.begun ? NEVER : context.stop);
}

/**
 * The same for the copies of this very change, unless an entry is open: a run waits for that at its end, where it holds up
 * no other change. Resolves with false if a copy may still land.
 */
export async function untilItCannotLand(
  context: StepContext,
  liveId: LiveId,
  target: TargetStatus | null,
): Promise<boolean> {
  const copies = lateCopies(context, liveId, target);
  return copies.every(({ isClosed }) => isClosed) && waitFor(context, copies, context.stop);
}

/** Whether a copy of this very change got no answer and may still be carried out. */
export function mayStillLand(context: StepContext, liveId: LiveId, target: TargetStatus): boolean {
  const copies = lateCopies(context, liveId, target);
  return copies.length > 0 && leastAgeMs(context, copies) < context.settleMs;
}

/** Copies of this very change without an answer, of which no later look has told the end. */
export function lateCopies(
  context: StepContext,
  liveId: LiveId,
  target: TargetStatus | null,
): readonly LateStatusChange[] {
  return copiesOf(context, liveId).filter((copy) => copy.target === target);
}

function copiesOf({ account, change, ledger }: StepContext, liveId: LiveId): readonly LateStatusChange[] {
  return ledger.lateChanges.of(objectKey(account.accountId, change.address.kind, liveId));
}

async function waitFor(
  context: StepContext,
  copies: readonly LateStatusChange[],
  stop: AbortSignal,
): Promise<boolean> {
  await ensureAgesKnown(context.client);
  const { clock, settleMs } = context;
  const ageMs = leastAgeMs(context, copies);
  if (settleMs - ageMs > FRESH_MS) context.listIsOld = true;
  const onWait = (seconds: number) => context.onWait(copies.length, seconds * 1000);
  return waitOut({ clock, settleMs, stop, onWait }, ageMs);
}

/** How long ago the youngest of the copies left, at least. */
function leastAgeMs({ clock, ledger }: StepContext, copies: readonly LateStatusChange[]): number {
  return clock.now() - Math.max(...copies.map((copy) => ledger.ages.here(copy, copy.entry).sentAtMs));
}
