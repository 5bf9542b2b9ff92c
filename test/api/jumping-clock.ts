import type { Clock } from '../../src/domain/ports.ts';
import { NOON } from '../helpers/flow-clock.ts';

const TIME_OUT_MS = 60_000;

/**
 * A clock for tests with requests that really travel: waits are over at once and move time, and time-outs,
 * which are the sleeps of a minute and more that can be called off, run out only when the test says so.
 */
export function jumpingClock(startMs = NOON) {
  let nowMs = 0;
  /** Every wait between two attempts, in milliseconds. */
  const waits: number[] = [];
  const timeOuts = new Set<() => void>();
  return {
    waits,
    now: () => startMs + nowMs,
    monotonicMs: () => nowMs,
    sleep: (ms: number, signal?: AbortSignal) => {
      if (signal === undefined) waits.push(Math.round(ms));
      if (signal === undefined || ms < TIME_OUT_MS) {
        nowMs += ms;
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        const runOut = () => {
          nowMs += ms;
          resolve();
        };
        timeOuts.add(runOut);
        signal.addEventListener('abort', () => {
          timeOuts.delete(runOut);
          reject(signal.reason as Error);
        });
      });
    },
    /** Lets every time-out that runs now run out; answers how many there were. */
    timeOut() {
      const due = [...timeOuts];
      timeOuts.clear();
      for (const runOut of due) runOut();
      return due.length;
    },
  } satisfies Clock & Record<'timeOut' | 'waits', unknown>;
}
