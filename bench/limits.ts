import type { Comparison, Unit } from './pairs.ts';

/** A figure against its limit, which is the reference here. */
export function against(
  name: string,
  unit: Unit,
  ours: number,
  limit: number,
  { runs, note }: Pick<Comparison, 'runs' | 'note'>,
): Comparison {
  return {
    name,
    reference: 'the limit',
    unit,
    ours,
    theirs: limit,
    ratio: ours / limit,
    budget: 1,
    runs,
    note,
  };
}
