import type { Plan } from './data.ts';
import { mix } from './mix.ts';

/** A list's rows in time. */
interface Grid {
  readonly plan: Plan;
  readonly seed: number;
}

/** When row k happened: somewhere inside its cell and never on its edges, so that rows keep their order. */
export function instantOf({ plan, seed }: Grid, k: number): number {
  const start = cellStart(plan, k);
  const room = cellStart(plan, k + 1) - start - 1;
  return room <= 0 ? start : start + 1 + (mix(seed, k) % room);
}

/** The first row at or after an instant, by arithmetic: a million rows cost as much as one. */
export function firstFrom(grid: Grid, ms: number): number {
  const { fromMs, stepMs, rows } = grid.plan;
  const last = rows ?? Number.POSITIVE_INFINITY;
  if (ms <= fromMs) return 0;
  // One cell early, because of what rounding may do.
  let k = Math.max(0, Math.floor((ms - fromMs) / stepMs) - 1);
  while (k < last && instantOf(grid, k) < ms) k += 1;
  return Math.min(k, last);
}

function cellStart({ fromMs, stepMs }: Plan, k: number): number {
  return fromMs + Math.floor(k * stepMs);
}
