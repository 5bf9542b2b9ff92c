import { parseArgs } from 'node:util';

export interface Options {
  readonly seed: number;
  readonly runs: number;
  readonly trace: boolean;
  /** Stories of pull requests and the jobs of a CI. */
  readonly ci: boolean;
  readonly workers: number;
  /** Real processes that act at the same time; null for the run in virtual time. */
  readonly processes: number | null;
  readonly state: 'sqlite' | 'postgres';
}

/** What the command line asks for. Throws a sentence about a mistake in it. */
export function optionsOf(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      runs: { type: 'string', default: '300' },
      workers: { type: 'string', default: '2' },
      trace: { type: 'boolean', default: false },
      ci: { type: 'boolean', default: false },
      processes: { type: 'string' },
      state: { type: 'string', default: 'sqlite' },
    },
  });
  return {
    seed: readWholeNumber('--seed', values.seed),
    runs: readWholeNumber('--runs', values.runs),
    workers: Math.max(1, readWholeNumber('--workers', values.workers)),
    trace: values.trace,
    ci: values.ci,
    processes: values.processes === undefined ? null : readWholeNumber('--processes', values.processes),
    state: readState(values.state),
  };
}

export function readWholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} takes a whole number, not "${text}".`);
  return Number(text);
}

function readState(text: string): Options['state'] {
  if (text === 'sqlite' || text === 'postgres') return text;
  throw new Error(`--state is sqlite or postgres, not "${text}".`);
}
