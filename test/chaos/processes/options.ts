import { parseArgs } from 'node:util';
import { wholeNumber } from '../runner/options.ts';
import { STATES, type StateKind } from './shape.ts';

/** What the command line asks for. */
export interface ProcessOptions {
  readonly processes: number;
  readonly state: StateKind;
  readonly runs: number;
  /** Of the first run; each one after it takes the next. */
  readonly seed: number;
  /** Scenarios at a time. */
  readonly workers: number;
}

const RUNS = '20';
const WORKERS = '2';

/** Whether the command line asks for real processes. */
export function asksForProcesses(args: readonly string[]): boolean {
  return args.some((word) => /^--processes(?:=|$)/.test(word));
}

export function processOptionsOf(args: readonly string[]): ProcessOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      processes: { type: 'string', default: '4' },
      state: { type: 'string', default: 'postgres' },
      runs: { type: 'string', default: RUNS },
      seed: { type: 'string', default: '1' },
      workers: { type: 'string', default: WORKERS },
    },
  });
  const state = STATES.find((one) => one === values.state);
  if (state === undefined) throw new Error(`--state is one of ${STATES.join(', ')}, not "${values.state}".`);
  return {
    processes: wholeNumber('--processes', values.processes, 1),
    state,
    runs: wholeNumber('--runs', values.runs, 0),
    seed: wholeNumber('--seed', values.seed, 0),
    workers: wholeNumber('--workers', values.workers, 1),
  };
}
