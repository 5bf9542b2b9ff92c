import type { FieldDifference } from '../domain/change.ts';
import type { Knowledge } from '../domain/knowledge.ts';
import type { Declared, Observed } from '../domain/resource.ts';
import { counts } from './both-declare.ts';
import { memberOf } from './scope.ts';

/**
 * Whether a live object sends what the file says. The time does not count: at another time it is still one send too many.
 * Neither does what the file ignores, unless fans read it or it says who gets it.
 */
export function isSameAs(declared: Declared, object: Observed, knowledge: Knowledge): boolean {
  const { comparison } = memberOf(declared, object, knowledge);
  if (comparison.verdict === 'unknowable') return false;
  const fields = comparison.verdict === 'different' ? comparison.fields : [];
  return fields.every(({ path }) => path === 'scheduled_at') && !comparison.ignored.some(counts);
}

/**
 * Where a live object says something else than the file, also where the file ignores that. Null if it cannot be read. Two
 * objects that differ from a file in the same way are the same.
 */
export function differencesThatCount(
  declared: Declared,
  object: Observed,
  knowledge: Knowledge,
): readonly FieldDifference[] | null {
  const { comparison } = memberOf({ ...declared, ignore: [] }, object, knowledge);
  if (comparison.verdict === 'unknowable') return null;
  return comparison.verdict === 'equal' ? [] : comparison.fields.filter(counts);
}
