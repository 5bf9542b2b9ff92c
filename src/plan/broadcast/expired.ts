import { RESUME_WINDOW_MS } from '../../domain/broadcast.ts';
import type { KnownObject } from '../../domain/knowledge.ts';
import type { ObservedBroadcast } from '../../domain/resource.ts';
import { isPaused } from '../../domain/status.ts';

/**
 * Whether a paused broadcast can never be resumed again (BROADCAST-17). The list does not show since when it is
 * paused, so only the ledger tells, and a pause that is not on record is not known to be old. `nowMs` is the service's.
 */
export function isPastResumeWindow(
  { observed, known }: { readonly observed: ObservedBroadcast; readonly known: KnownObject | null },
  nowMs: number,
): boolean {
  const pausedAtMs = known?.pausedAtMs ?? null;
  return isPaused(observed.live) && pausedAtMs !== null && nowMs - pausedAtMs > RESUME_WINDOW_MS;
}
