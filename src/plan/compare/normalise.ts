import { fieldSteps, isWithin } from '../../domain/field-path.ts';
import { fullInstantMs } from '../../domain/time.ts';

/** Instants are compared as instants: zone and spelling do not matter. */
export function sameInstant(left: string, right: string): boolean {
  return parseInstant(left) === parseInstant(right);
}

/** Milliseconds; the text where it is none. Assumed: a time without a zone is in UTC (READ-7). */
export function parseInstant(text: string | null | undefined): number | string | null {
  if (text === null || text === undefined) return null;
  return fullInstantMs(text) ?? fullInstantMs(`${text}Z`) ?? fullInstantMs(`${text}T00:00:00Z`) ?? text;
}

/** Tells whether a path, as plans print it, is one of those to ignore or below one. */
export function ignoring(ignore: readonly string[]): (path: string) => boolean {
  const patterns = ignore.map(fieldSteps);
  return (path) => {
    const steps = patterns.length === 0 ? [] : fieldSteps(path);
    return patterns.some((pattern) => isWithin(steps, pattern));
  };
}
