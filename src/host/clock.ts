import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../domain/ports.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) => {
    if (signal === undefined) return sleep(ms);
    // Parts, files and accounts wait side by side for one interrupt; each takes its listener away when it wakes.
    setMaxListeners(0, signal);
    return sleep(ms, undefined, { signal });
  },
};
