/** One line of the bench: ours against a reference, timed in turn in the same run. */
export interface Comparison {
  readonly name: string;
  readonly reference: string;
  readonly oursMs: number;
  readonly referenceMs: number;
  /** Median of the ratios pair by pair: it holds when the machine's speed drifts. */
  readonly ratio: number;
  readonly budget: number | null;
  readonly note: string;
}

export const PAIRS = 7;

export interface Pair {
  readonly name: string;
  readonly reference: string;
  readonly budget: number | null;
  readonly note?: string;
  readonly ours: () => Promise<void> | void;
  readonly theirs: () => Promise<void> | void;
}

/** Runs both sides once to warm up, then in turn, A B A B …. */
export async function comparePair(pair: Pair): Promise<Comparison> {
  await pair.ours();
  await pair.theirs();
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < PAIRS; round += 1) {
    ours.push(await timed(pair.ours));
    theirs.push(await timed(pair.theirs));
  }
  const ratios = ours.map((ms, index) => ms / (theirs[index] ?? Number.NaN));
  const { name, reference, budget, note = '' } = pair;
  return {
    name,
    reference,
    oursMs: median(ours),
    referenceMs: median(theirs),
    ratio: median(ratios),
    budget,
    note,
  };
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
