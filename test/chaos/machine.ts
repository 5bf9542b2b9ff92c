import type { FlowClock } from '../helpers/flow-clock.ts';
import type { Operator } from './shape.ts';

/** The clock of one machine: it may be wrong, run too fast, and be set. */
export interface MachineClock extends FlowClock {
  set(ms: number): void;
}

export function machineClock(real: FlowClock, { clockSec, driftPpm }: Operator): MachineClock {
  let offMs = clockSec * 1000;
  return {
    ...real,
    now: () => Math.floor(real.now() + offMs + (real.monotonicMs() * driftPpm) / 1_000_000),
    set: (ms) => {
      offMs += ms;
    },
  };
}
