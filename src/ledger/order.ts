import { SAME_CLOCK_MS, type SendTime } from './ages.ts';
import { instantOf, instantText } from './instant-text.ts';
import type { LedgerLine } from './lines.ts';

/**
 * Two lines of different machines are in the order of their times only if these differ by this much. A skew of at most 2 s
 * counts as none, and the skew itself is known to a second: each of the two times may be wrong by 3 s.
 */
export const ORDER_ERROR_MS = 2 * (SAME_CLOCK_MS + 1_000);

/** The members of a line that say when it was written. */
export type Written = Pick<LedgerLine, 'at' | 'at_skew_ms' | 'after_ms'> & {
  readonly skew_ms?: number | null | undefined;
};

/**
 * When a line was written, in epoch milliseconds by the service's clock: machines have clocks of their own, and lines
 * must be read in the order in which they were written. It depends on the line alone, so a merge or a compaction
 * changes nothing.
 *
 * | the line has                            | its time                                             |
 * |-----------------------------------------|------------------------------------------------------|
 * | `at_skew_ms`                            | `at` plus that                                       |
 * | only `skew_ms`                          | `at` plus that                                       |
 * | neither, or null                        | `at`: the writer's clock is all that is known        |
 * | one of at most 2 s                      | `at`: a `Date` header tells the time no better       |
 * | an `after_ms` that is later than that   | that: its run knew a line with such a time           |
 * | an `at` that is not a time              | before all others: such a line overrules no other    |
 */
export function writtenAtMs(line: Written): number {
  return lineTime(line).ms;
}

/** The same, and whether it is by the service's clock (`hasServiceTime`). */
export function lineTime(line: Written): { readonly ms: number; readonly isByService: boolean } {
  const byClocks = byClocksMs(line);
  const ms = byClocks === Number.NEGATIVE_INFINITY ? byClocks : Math.max(byClocks, line.after_ms ?? byClocks);
  return { ms, isByService: skewOf(line) !== null && ms - byClocks <= ORDER_ERROR_MS };
}

/** The same as far as its clocks tell. */
function byClocksMs(line: Written): number {
  const atMs = instantOf(line.at);
  return Number.isNaN(atMs) ? Number.NEGATIVE_INFINITY : atMs + shiftOf(line);
}

/** Whether its run knew that it is later than the other one, although the clocks may say otherwise. */
export function isKnownLater(line: Written, other: Written): boolean {
  return line.after_ms !== undefined && writtenAtMs(line) > writtenAtMs(other);
}

/** The earlier time of its two clocks. */
export function earliestMs(line: Written): number {
  return byClocksMs(line) - Math.max(0, shiftOf(line));
}

/** When it was written by its clocks, as ISO 8601 in UTC; as it stands where nothing says more, or where it is not a time. */
export function writtenAt(line: Written): string {
  const ms = byClocksMs(line);
  return shiftOf(line) === 0 || !Number.isFinite(ms) ? line.at : instantText(ms);
}

/** When a line was written, by the clock of its machine, and where the service's stood then. */
export function writtenTime(line: Written): SendTime {
  return { sentAtMs: instantOf(line.at), skewMs: skewOf(line) };
}

/** When a request left, by the service's clock as far as its line tells that. */
export function sentAtServiceMs({ sentAtMs, skewMs }: SendTime): number {
  return sentAtMs + beyondRounding(skewMs ?? 0);
}

/** In the order in which they were written; lines of one instant stay as they stand. */
export function inOrderOfTime<Line extends Written>(lines: readonly Line[]): readonly Line[] {
  return inOrderOf(lines, writtenAtMs);
}

/** The same by other times. */
export function inOrderOf<Line>(lines: readonly Line[], msOf: (line: Line) => number): readonly Line[] {
  return lines
    .map((line) => ({ line, ms: msOf(line) }))
    .toSorted((left, right) => (left.ms === right.ms ? 0 : left.ms - right.ms))
    .map(({ line }) => line);
}

/** What a line that takes the place of another one says of its time. */
export function timeOf(line: Written): Pick<Written, 'at' | 'at_skew_ms' | 'after_ms'> {
  return {
    at: line.at,
    ...(skewOf(line) === null ? {} : { at_skew_ms: shiftOf(line) }),
    ...(line.after_ms === undefined ? {} : { after_ms: line.after_ms }),
  };
}

/**
 * Whether the line tells when it was written by the service's clock. Otherwise its time is that of its writer's clock, or
 * contradicts that of another line.
 */
export function hasServiceTime(line: Written): boolean {
  return lineTime(line).isByService;
}

function shiftOf(line: Written): number {
  return beyondRounding(skewOf(line) ?? 0);
}

function skewOf({ at_skew_ms, skew_ms }: Written): number | null {
  return (at_skew_ms === undefined ? skew_ms : at_skew_ms) ?? null;
}

function beyondRounding(skewMs: number): number {
  return Math.abs(skewMs) <= SAME_CLOCK_MS ? 0 : skewMs;
}
