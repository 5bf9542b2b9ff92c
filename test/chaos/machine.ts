import type { FlowClock } from '../helpers/flow-clock.ts';
import type { Operator } from './shape.ts';

/** The clock of one machine: it may be wrong, run too fast, and be set. */
export interface MachineClock extends FlowClock {
  set(ms: number): void;
  /** Whether it was set a moment ago: a request that arrives now may have left by the time of before. */
  wasJustSet(): boolean;
}

const MOMENT_MS = 100;

export function machineClock(real: FlowClock, { clockSec, driftPpm }: Operator): MachineClock {
  let offMs = clockSec * 1000;
  let setAtMs = -Infinity;
  return {
    ...real,
    now: () => Math.floor(real.now() + offMs + (real.monotonicMs() * driftPpm) / 1_000_000),
    set: (ms) => {
      offMs += ms;
      setAtMs = real.monotonicMs();
    },
    wasJustSet: () => real.monotonicMs() - setAtMs <= MOMENT_MS,
  };
}
