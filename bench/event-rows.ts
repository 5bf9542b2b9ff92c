import { percentile, type Load } from './event-load.ts';
import type { Probed } from './event-probe.ts';
import { compareWithBound, median, type Comparison, type Unit } from './pairs.ts';

/** One stretch of a run, as the senders and the receiver saw it. */
export interface EventWindow extends Load {
  readonly cpuMs: number;
  readonly residentBytes: number;
  readonly probed: Probed;
}

export interface EventRun {
  /** Of ours: its memory is what the last one is compared with, because a new process still grows. */
  readonly first: EventWindow | undefined;
  readonly ours: readonly EventWindow[];
  readonly theirs: readonly EventWindow[];
  readonly sent: number;
  readonly stored: number;
}

const P99_MS_MAX = 50;
/** Against a receiver that does nothing but store. */
const CPU_BUDGET = 2;
const P99_BUDGET = 3;
/** The memory at the end against that after the first window, of a long run. */
const MEMORY_BUDGET = 1.1;

/** A figure of each window, which is compared by its median. */
interface Figure {
  readonly what: string;
  readonly unit: Unit;
  readonly budget: number | null;
  readonly of: (window: EventWindow) => number;
}

const FIGURES: readonly Figure[] = [
  { what: 'p50', unit: 'ms', budget: null, of: ({ latencies }) => percentile(latencies, 0.5) },
  { what: 'p99', unit: 'ms', budget: P99_BUDGET, of: ({ latencies }) => percentile(latencies, 0.99) },
  {
    what: 'p99, last byte to answer',
    unit: 'ms',
    budget: null,
    of: ({ probed }) => percentile(sorted(probed.answerMs), 0.99),
  },
  {
    what: 'p99 of a write to the store',
    unit: 'ms',
    budget: null,
    of: ({ probed }) => percentile(sorted(probed.commitMs), 0.99),
  },
  {
    what: 'event loop, 1,000 events',
    unit: 'ms',
    budget: null,
    of: ({ probed }) => (probed.busyMs * 1000) / probed.answerMs.length,
  },
  {
    what: 'processor, 1,000 events',
    unit: 'ms CPU',
    budget: CPU_BUDGET,
    of: ({ cpuMs, probed }) => (cpuMs * 1000) / probed.answerMs.length,
  },
];

/** The rows of one store. */
export function eventRows(where: string, run: EventRun, isLong: boolean): readonly Comparison[] {
  const { first, ours, theirs, sent, stored } = run;
  const name = `200 events a second, state in ${where}`;
  const latencies = sorted(ours.flatMap((window) => window.latencies));
  const [p50, p99, worst] = [0.5, 0.99, 1].map((part) => percentile(latencies, part));
  const refused = ours.reduce(
    (sum, window) => sum + window.refused,
    first === ours[0] ? 0 : (first?.refused ?? 0),
  );
  const against = FIGURES.map(({ what, unit, budget, of }) =>
    compareWithBound(
      { name: `${name}: ${what}`, reference: 'a receiver that only stores', unit, budget, note: '' },
      ours.map(of),
      median(theirs.map(of)),
    ),
  );
  return [
    compareWithBound(
      {
        name: `${name}: p99 of all`,
        reference: `${P99_MS_MAX} ms`,
        unit: 'ms',
        budget: 1,
        note: `of ${latencies.length}: p50 ${p50?.toFixed(1)} ms, worst ${worst?.toFixed(1)} ms`,
      },
      [p99 ?? Number.NaN],
      P99_MS_MAX,
    ),
    ...against,
    compareWithBound(
      {
        name: `${name}: lost`,
        reference: 'none',
        unit: 'events',
        budget: 0,
        note: `${stored} of ${sent} stored, ${refused} refused`,
      },
      [sent - stored],
      1,
    ),
    compareWithBound(
      {
        name: `${name}: memory at the end`,
        reference: 'after the first window',
        unit: 'MB',
        budget: isLong ? MEMORY_BUDGET : null,
        note: '',
      },
      [(ours.at(-1)?.residentBytes ?? Number.NaN) / 1e6],
      (first?.residentBytes ?? Number.NaN) / 1e6,
    ),
  ];
}

function sorted(values: readonly number[]): readonly number[] {
  return values.toSorted((left, right) => left - right);
}
