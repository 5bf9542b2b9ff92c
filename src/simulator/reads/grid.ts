import type { Plan } from './data.ts';
import { mix } from './mix.ts';

/** The rows of a list in time. */
interface Grid {
  readonly plan: Plan;
  readonly seed: number;
}

/** The time of row k: inside its cell and never on the edges, so that rows stay in order. */
export function instantOf({ plan, seed }: Grid, k: number): number {
  const start = cellStart(plan, k);
  const freeMs = cellStart(plan, k + 1) - start - 1;
  return freeMs <= 0 ? start : start + 1 + (mix(seed, k) % freeMs);
}

/** The first row at or after a time, by arithmetic: the cost does not grow with the number of rows. */
export function firstFrom(grid: Grid, ms: number): number {
  const { fromMs, stepMs, rows } = grid.plan;
  const last = rows ?? Number.POSITIVE_INFINITY;
  if (ms <= fromMs) return 0;
  // One cell early, because of rounding.
  let k = Math.max(0, Math.floor((ms - fromMs) / stepMs) - 1);
  while (k < last && instantOf(grid, k) < ms) k += 1;
  return Math.min(k, last);
}

function cellStart({ fromMs, stepMs }: Plan, k: number): number {
  return fromMs + Math.floor(k * stepMs);
}
