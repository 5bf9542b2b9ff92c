/** What one answer tells: how far the service's clock is ahead of this machine's, in milliseconds. */
export interface Reading {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Answers that may all be right at once, and the skews for which they are. */
export interface Agreement extends Reading {
  readonly readings: readonly Reading[];
  /** How many clocks say so: one an answer, and this machine's own where it may be right as well. */
  readonly votes: number;
}

/** Clocks that are set from one source still differ by a little. */
const SLACK_MS = 1_000;

/** This machine's clock says that the skew is none, give or take this. */
const OWN_TOLERANCE_MS = 2_000;

/**
 * Sorts answers by the clocks that they can come from, the one with the most votes first. Servers behind one address
 * may have a clock each, and one of those may be off. `readings` are the latest first, which decides between equals.
 */
export function agreementsAmong(readings: readonly Reading[]): readonly Agreement[] {
  const found: Agreement[] = [];
  for (let rest = readings; rest.length > 0;) {
    const next = largestAmong(rest);
    found.push(next);
    rest = rest.filter((reading) => !next.readings.includes(reading));
  }
  return found.toSorted((left, right) => right.votes - left.votes);
}

/** The largest number of readings overlap where one of them begins. */
function largestAmong(readings: readonly Reading[]): Agreement {
  let best: readonly Reading[] = [];
  for (const { fromMs } of readings) {
    const at = fromMs - SLACK_MS;
    const agreeing = readings.filter((one) => one.fromMs - SLACK_MS <= at && at <= one.toMs + SLACK_MS);
    if (agreeing.length > best.length) best = agreeing;
  }
  const fromMs = Math.max(...best.map((one) => one.fromMs)) - SLACK_MS;
  const toMs = Math.min(...best.map((one) => one.toMs)) + SLACK_MS;
  const withOwn = fromMs <= OWN_TOLERANCE_MS && toMs >= -OWN_TOLERANCE_MS;
  return { readings: best, fromMs, toMs, votes: best.length + (withOwn ? 1 : 0) };
}
