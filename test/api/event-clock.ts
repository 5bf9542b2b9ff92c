import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/domain/ports.ts';

/** A clock that moves only from one sleeper's end to the next, and only when nothing else can happen. */
export interface EventClock extends Clock {
  /** Sleeps that have not ended. */
  sleeping(): number;
  /** Lets time pass until the work is settled. */
  run<Value>(work: Promise<Value>): Promise<Value>;
}

/** Turns of the event loop after which everything that could happen at this instant has happened. */
const TURNS = 2;

/** `isBusy` tells that something outside of this clock will happen yet, such as the answer of a real database. */
export function eventClock(
  startMs = Date.UTC(2026, 5, 1, 12),
  isBusy: () => boolean = () => false,
): EventClock {
  let nowMs = 0;
  const sleepers = new Set<{ dueMs: number; wake: () => void }>();
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const leave = () => {
        sleepers.delete(sleeper);
        reject(signal?.reason as Error);
      };
      const sleeper = {
        dueMs: nowMs + ms,
        wake: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      sleepers.add(sleeper);
      signal?.addEventListener('abort', leave, { once: true });
    });
  const wakeNext = () => {
    const dueMs = Math.min(...[...sleepers].map((sleeper) => sleeper.dueMs));
    nowMs = Math.max(nowMs, dueMs);
    for (const sleeper of sleepers) {
      if (sleeper.dueMs > nowMs) continue;
      sleepers.delete(sleeper);
      sleeper.wake();
    }
  };
  return {
    now: () => startMs + nowMs,
    monotonicMs: () => nowMs,
    sleep,
    sleeping: () => sleepers.size,
    async run(work) {
      const state = { settled: false };
      const end = () => void (state.settled = true);
      work.then(end, end);
      for (;;) {
        for (let turn = 0; turn < TURNS || isBusy(); turn += 1) await setImmediate();
        if (state.settled) return work;
        if (sleepers.size === 0) throw new Error('nothing sleeps and nothing happens: a deadlock');
        wakeNext();
      }
    },
  };
}
