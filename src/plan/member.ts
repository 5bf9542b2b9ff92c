import type { FieldDifference } from '../domain/change.ts';
import type { KnownObject } from '../domain/knowledge.ts';
import type { Observed } from '../domain/resource.ts';
import type { Comparison } from './compare/compare.ts';

/** One live object of a group: what it is, how it compares, and what the ledger knows of it. */
export interface Member<Live extends Observed = Observed> {
  readonly id: string;
  readonly observed: Live;
  readonly comparison: Comparison;
  readonly known: KnownObject | null;
  /** Known as ours: in the ledger, or made by the creator of our other creates. */
  readonly ours: boolean;
  /** Fields that differ again after a replace for them, so that it counts as equal: see `left-as-it-is.ts`. */
  readonly again: readonly FieldDifference[];
}
