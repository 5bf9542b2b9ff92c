import type { Bending } from './call.ts';
import { listLagMs } from './paging.ts';
import type { Broadcast, Campaign } from './state.ts';
import type { World } from './world.ts';

/** What was created now, and shows in lists and single reads only later. */
export function hideAtFirst(world: World, made: Campaign | Broadcast, bending: Bending): void {
  const lagMs = listLagMs(world, bending);
  made.listedFromMs = world.nowMs + lagMs;
  if (bending.readsLag) made.foundFromMs = world.nowMs + lagMs;
}

/** Reads go on showing the status of before a change. */
export function showOldStatus(
  world: World,
  changed: Campaign | Broadcast,
  before: string | null,
  { statusLagSec, readsLag }: Bending,
): void {
  if (statusLagSec === 0) return;
  changed.statusLag = { status: before, untilMs: world.nowMs + statusLagSec * 1000, reads: readsLag };
}

/** The status that a list shows, or a single read. */
export function shownStatus(
  { nowMs }: World,
  { live, statusLag }: Campaign | Broadcast,
  by: 'list' | 'single read',
): string | null {
  const lags = statusLag !== null && statusLag.untilMs > nowMs && (by === 'list' || statusLag.reads);
  return lags ? statusLag.status : live.status;
}
