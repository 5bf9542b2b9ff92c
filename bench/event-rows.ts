import { percentile, type Load } from './event-load.ts';
import { compareWithBound, median, type Comparison, type Unit } from './pairs.ts';

/** One stretch of a run, as the senders and the receiver saw it. */
export interface EventWindow extends Load {
  readonly cpuMs: number;
}

export interface EventRun {
  readonly ours: readonly EventWindow[];
  readonly theirs: readonly EventWindow[];
  readonly sent: number;
  readonly stored: number;
}

const P99_MS_MAX = 50;
/** Against a receiver that does nothing but store. */
const CPU_BUDGET = 2;
const P99_BUDGET = 3;
/** A figure of each window, which is compared by its median. */
interface Figure {
  readonly what: string;
  readonly unit: Unit;
  readonly budget: number;
  readonly of: (window: EventWindow) => number;
}

const FIGURES: readonly Figure[] = [
  { what: 'p99', unit: 'ms', budget: P99_BUDGET, of: ({ latencies }) => percentile(latencies, 0.99) },
  {
    what: 'processor, 1,000 events',
    unit: 'ms CPU',
    budget: CPU_BUDGET,
    of: ({ cpuMs, latencies }) => (cpuMs * 1000) / latencies.length,
  },
];

/** The rows of one store. */
export function eventRows(where: string, run: EventRun): readonly Comparison[] {
  const { ours, theirs, sent, stored } = run;
  const name = `200 events a second, state in ${where}`;
  const latencies = ours.flatMap((window) => window.latencies).toSorted((left, right) => left - right);
  const [p50, p99, worst] = [0.5, 0.99, 1].map((part) => percentile(latencies, part));
  const refused = ours.reduce((sum, window) => sum + window.refused, 0);
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
  ];
}
