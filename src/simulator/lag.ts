import type { FaultEffects } from './call.ts';
import { listLagMs } from './paging.ts';
import type { Broadcast, Campaign } from './state.ts';
import type { World } from './world.ts';

/** Hides a new object from lists and single reads for a while. */
export function delayVisibility(world: World, made: Campaign | Broadcast, effects: FaultEffects): void {
  const lagMs = listLagMs(world, effects);
  made.listedFromMs = world.nowMs + lagMs;
  if (effects.readsLag) made.foundFromMs = world.nowMs + lagMs;
}

/** Lets reads show the old status for a while. */
export function showOldStatus(
  world: World,
  changed: Campaign | Broadcast,
  before: string | null,
  { statusLagSec, readsLag }: FaultEffects,
): void {
  if (statusLagSec === 0) return;
  changed.statusLag = { status: before, untilMs: world.nowMs + statusLagSec * 1000, reads: readsLag };
}

/** The status in a list or a single read. */
export function shownStatus(
  { nowMs }: World,
  { live, statusLag }: Campaign | Broadcast,
  by: 'list' | 'single read',
): string | null {
  const lags = statusLag !== null && statusLag.untilMs > nowMs && (by === 'list' || statusLag.reads);
  return lags ? statusLag.status : live.status;
}
