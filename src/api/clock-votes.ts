/** How far the service's clock is ahead of this machine's, in milliseconds, from one answer. */
export interface Reading {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Answers that may all be right together, and the clock differences for which they are. */
export interface Agreement extends Reading {
  readonly readings: readonly Reading[];
  /** The number of agreeing clocks: one per answer, plus this machine's own if it may be right too. */
  readonly votes: number;
}

/** Clocks with one source still differ a little. */
const SLACK_MS = 1_000;

/** This machine's clock supports a difference of 0, within this tolerance. */
const OWN_TOLERANCE_MS = 2_000;

/**
 * Groups answers by the clocks that they can come from, the largest group first. Each server behind an address may
 * have its own clock, and one may be wrong. `readings` are the latest first, which decides between equal groups.
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

/** Most readings overlap at the beginning of one of them. */
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
