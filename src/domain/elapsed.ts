import type { Clock } from './ports.ts';

/** One moment on both clocks of the machine. */
export interface Moment {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

export function momentOf(clock: Pick<Clock, 'now' | 'monotonicMs'>): Moment {
  return { wallMs: clock.now(), monotonicMs: clock.monotonicMs() };
}

/**
 * Largest possible time since then, in milliseconds, for values that must not be too old. The monotonic clock stops
 * while the machine sleeps, and the wall clock may be changed.
 */
export function elapsedMs(clock: Pick<Clock, 'now' | 'monotonicMs'>, since: Moment): number {
  return Math.max(clock.now() - since.wallMs, clock.monotonicMs() - since.monotonicMs);
}
