import type { Clock } from './ports.ts';

/** One moment by both clocks of the machine. */
export interface Moment {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

export function momentOf(clock: Pick<Clock, 'now' | 'monotonicMs'>): Moment {
  return { wallMs: clock.now(), monotonicMs: clock.monotonicMs() };
}

/**
 * How long ago that was at most, in milliseconds: for what must not be too old. The monotonic clock stands still while
 * the machine sleeps, and the wall clock may be set.
 */
export function elapsedMs(clock: Pick<Clock, 'now' | 'monotonicMs'>, since: Moment): number {
  return Math.max(clock.now() - since.wallMs, clock.monotonicMs() - since.monotonicMs);
}
