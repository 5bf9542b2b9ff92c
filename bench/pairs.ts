/** One line of the bench: ours against a reference, measured in turn in the same run. */
export interface Comparison {
  readonly name: string;
  readonly reference: string;
  readonly unit: Unit;
  readonly ours: number;
  readonly theirs: number;
  /** Median of the ratios pair by pair: it holds when the machine's speed drifts. */
  readonly ratio: number;
  /** The most that the ratio may be; null where none is set. */
  readonly budget: number | null;
  /** Measurements behind the medians. */
  readonly runs: number;
  readonly note: string;
}

/** `ms` is time by the clock, `ms CPU` what a process kept a core busy. */
export type Unit = 'ms' | 'ms CPU' | 's' | 'MB' | 'places' | 'events' | 'requests';

export const PAIRS = 7;

export interface Pair {
  readonly name: string;
  readonly reference: string;
  readonly budget: number | null;
  readonly note?: string;
  readonly ours: () => Promise<void> | void;
  readonly theirs: () => Promise<void> | void;
  /** Default: `PAIRS`. */
  readonly runs?: number;
}

/** Runs both sides once to warm up, then in turn, A B A B …. */
export async function comparePair(pair: Pair): Promise<Comparison> {
  const { name, reference, budget, note = '', runs = PAIRS } = pair;
  await pair.ours();
  await pair.theirs();
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < runs; round += 1) {
    ours.push(await timed(pair.ours));
    theirs.push(await timed(pair.theirs));
  }
  return compareMeasured({ name, reference, unit: 'ms', budget, note }, ours, theirs);
}

/** Medians of what was measured in pairs. */
export function compareMeasured(
  what: Pick<Comparison, 'name' | 'reference' | 'unit' | 'budget' | 'note'>,
  ours: readonly number[],
  theirs: readonly number[],
): Comparison {
  const ratios = ours.map((value, index) => value / (theirs[index] ?? Number.NaN));
  return {
    ...what,
    ours: median(ours),
    theirs: median(theirs),
    ratio: median(ratios),
    runs: ours.length,
  };
}

/** The same against a bound that no run moves. */
export function compareWithBound(
  what: Pick<Comparison, 'name' | 'reference' | 'unit' | 'budget' | 'note'>,
  ours: readonly number[],
  bound: number,
): Comparison {
  return compareMeasured(
    what,
    ours,
    ours.map(() => bound),
  );
}

async function timed(work: () => Promise<void> | void): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1] ?? Number.NaN, sorted[Math.floor(middle)] ?? Number.NaN];
  return (low + high) / 2;
}
