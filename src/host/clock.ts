import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../domain/ports.ts';

/** The machine's own clocks and timers. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }),
};
