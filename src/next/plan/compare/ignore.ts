import type { FieldDifference } from '../../../domain/change.ts';
import { fieldSteps, isWithin } from '../../../domain/field-path.ts';
import type { Declared } from '../../../domain/resource.ts';

/** Differences by whether they count; `ignored` are those that the files tell us to ignore. */
export interface SplitDifferences {
  readonly fields: readonly FieldDifference[];
  readonly ignored: readonly FieldDifference[];
}

/** Removes the fields in `ignore`: such a difference does not cause a change. */
export function splitIgnored(
  { ignore }: Pick<Declared, 'ignore'>,
  fields: readonly FieldDifference[],
): SplitDifferences {
  if (ignore.length === 0 || fields.length === 0) return { fields, ignored: [] };
  const isIgnored = ignoring(ignore);
  return {
    fields: fields.filter(({ path }) => !isIgnored(path)),
    ignored: fields.filter(({ path }) => isIgnored(path)),
  };
}

/** Tells whether a path, as plans print it, is one of those to ignore or below one. */
export function ignoring(ignore: readonly string[]): (path: string) => boolean {
  if (ignore.length === 0) return () => false;
  const patterns = ignore.map(fieldSteps);
  return (path) => {
    const steps = fieldSteps(path);
    return patterns.some((pattern) => isWithin(steps, pattern));
  };
}
