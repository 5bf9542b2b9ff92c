import type { Clock } from '../../src/domain/ports.ts';

/** A clock that stands still until it is told to move; sleeping moves it. */
export interface VirtualClock extends Clock {
  /** Moves the wall clock and the monotonic one. */
  move(ms: number): void;
  /** Moves the monotonic clock alone, so that rate windows empty while the time of day stays. */
  pause(ms: number): void;
}

export function virtualClock(startMs: number = Date.UTC(2026, 5, 1, 12)): VirtualClock {
  let wallMs = startMs;
  let monotonicMs = 0;
  const move = (ms: number): void => {
    wallMs += ms;
    monotonicMs += ms;
  };
  return {
    now: () => wallMs,
    monotonicMs: () => monotonicMs,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      move(ms);
    },
    move,
    pause(ms) {
      monotonicMs += ms;
    },
  };
}
