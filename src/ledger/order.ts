import { SAME_CLOCK_MS, type SendTime } from './ages.ts';
import { instantOf, instantText } from './instant-text.ts';
import type { LedgerLine } from './lines.ts';

/**
 * Two lines of different machines are in the order of their times only if these differ by this much. A skew of at most 2 s
 * counts as none, and the skew itself is known to a second: each of the two times may be wrong by 3 s.
 */
export const ORDER_ERROR_MS = 2 * (SAME_CLOCK_MS + 1_000);

/** The members of a line that say when it was written. */
export type Written = Pick<LedgerLine, 'at' | 'at_skew_ms'> & {
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
 * | an `at` that is not a time              | before all others: such a line overrules no other    |
 */
export function writtenAtMs(line: Written): number {
  const atMs = instantOf(line.at);
  return Number.isNaN(atMs) ? Number.NEGATIVE_INFINITY : atMs + shiftOf(line);
}

/** The same as ISO 8601 in UTC; as it stands where nothing says more, or where it is not a time. */
export function writtenAt(line: Written): string {
  const ms = writtenAtMs(line);
  return shiftOf(line) === 0 || !Number.isFinite(ms) ? line.at : instantText(ms);
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
export function timeOf(line: Written): Pick<Written, 'at' | 'at_skew_ms'> {
  return { at: line.at, ...(hasServiceTime(line) ? { at_skew_ms: shiftOf(line) } : {}) };
}

/** Whether the line says where the service's clock stood: otherwise the order is that of the writers' clocks. */
export function hasServiceTime(line: Written): boolean {
  return skewOf(line) !== null;
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
