import type { Clock } from '../../src/domain/ports.ts';

/** A clock that stands still while there is work, and jumps to the next sleeper when there is none. */
export interface FlowClock extends Clock {
  /** Moves time forward by hand and wakes anyone who slept until then. */
  move(ms: number): void;
  /** Sleeps that have not ended. */
  sleeping(): number;
}

/** Noon on the first of June 2026, when all scenes begin. */
export const NOON = Date.UTC(2026, 5, 1, 12);

interface Sleeper {
  readonly untilMs: number;
  readonly wake: () => void;
}

/** Code that is loaded at its first use comes from the disk: however slow that is, no virtual time passes. */
export function waitsForDisk(): boolean {
  return process.getActiveResourcesInfo().some((resource) => /^(?:FSReq|CloseReq)/.test(resource));
}

/** Turns of the event loop without a new sleeper after which nothing is under way any more. */
const IDLE_TURNS = 12;

/**
 * Everything that a flow waits for is in memory, so a few turns of the event loop bring all of it to its
 * next sleep; then time jumps to the earliest sleeper. Hours pass in milliseconds, in the same order each time.
 */
export function flowClock(startMs = NOON, isBusy = waitsForDisk): FlowClock {
  let elapsedMs = 0;
  let turns = 0;
  let running = false;
  const sleepers = new Set<Sleeper>();

  const moveTo = (ms: number) => {
    elapsedMs = ms;
    for (const sleeper of [...sleepers].sort((left, right) => left.untilMs - right.untilMs)) {
      if (sleeper.untilMs > elapsedMs) break;
      sleepers.delete(sleeper);
      sleeper.wake();
    }
  };
  const turn = () => {
    turns += 1;
    if (sleepers.size === 0) {
      running = false;
      return;
    }
    if (turns >= IDLE_TURNS) {
      turns = 0;
      if (!isBusy())
        moveTo(Math.max(elapsedMs, Math.min(...[...sleepers].map((sleeper) => sleeper.untilMs))));
    }
    setImmediate(turn);
  };
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      const onAbort = () => {
        sleepers.delete(sleeper);
        reject(signal?.reason as Error);
      };
      const wake = () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      const sleeper: Sleeper = { untilMs: elapsedMs + Math.max(0, ms), wake };
      signal?.addEventListener('abort', onAbort, { once: true });
      sleepers.add(sleeper);
      turns = 0;
      if (running) return;
      running = true;
      setImmediate(turn);
    });
  return {
    now: () => Math.floor(startMs + elapsedMs),
    monotonicMs: () => elapsedMs,
    sleep,
    move: (ms) => moveTo(elapsedMs + ms),
    sleeping: () => sleepers.size,
  };
}

/** Lets everything in memory go on for so many turns of the event loop. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits for what happens in memory only. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turns(1);
}

/** What a process waits for that is dead. */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}
