import type { LedgerLine } from './lines.ts';

/** A line with its place among all lines of its file. */
export interface Placed {
  readonly line: LedgerLine;
  readonly place: number;
}

export function inOrderOfFile(lines: readonly Placed[]): readonly LedgerLine[] {
  return lines.toSorted((left, right) => left.place - right.place).map(({ line }) => line);
}
