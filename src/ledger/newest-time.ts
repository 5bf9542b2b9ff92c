import { earliestMs, hasServiceTime } from './order.ts';
import { parseLine } from './parse.ts';
import type { Passes } from './passes.ts';

/**
 * When the newest line was written at the latest, in epoch milliseconds; null in an empty ledger. The clock of a machine or
 * of a server may be ahead, so a line has the earlier one of its two times. A line with one time counts only if no line
 * has two.
 */
export function* newestTime(): Passes<number | null> {
  let newestMs = Number.NEGATIVE_INFINITY;
  let newestOfOneMs = Number.NEGATIVE_INFINITY;
  yield (text) => {
    const line = parseLine(text);
    if (line === null) return;
    if (hasServiceTime(line)) newestMs = Math.max(newestMs, earliestMs(line));
    else newestOfOneMs = Math.max(newestOfOneMs, earliestMs(line));
  };
  const ms = Number.isFinite(newestMs) ? newestMs : newestOfOneMs;
  return Number.isFinite(ms) ? ms : null;
}
