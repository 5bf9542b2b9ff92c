import { FAN_LIST_TO_NAME, leavesDaysOpen } from '../../domain/audience.ts';
import type { WrittenFilter } from '../content-shapes.ts';
import { caution, problem, type Finding } from '../findings.ts';
import { checkWord, type WordsKnown } from '../known-words.ts';
import type { OddNumberAt } from './rule.ts';

interface Audience {
  readonly audience?: 'everyone' | undefined;
  readonly audience_filters?: readonly WrittenFilter[] | undefined;
}

/** No filter at all reaches every fan, so that has to be said aloud (CONTENT-15). */
export function audienceIsSaid({ audience, audience_filters: filters }: Audience): Finding[] {
  if (audience !== undefined && filters !== undefined) {
    const message = 'Both `audience: everyone` and audience_filters: keep one of the two.';
    return [problem('audience-twice', ['audience'], message, 'key')];
  }
  if (audience !== undefined || (filters !== undefined && filters.length > 0)) return [];
  const message = 'Who is meant? Write audience_filters with at least one filter, or `audience: everyone`.';
  return [problem('audience-missing', ['audience_filters'], message, 'key')];
}

/** A set that only excludes reaches everyone else, which is rarely meant. */
export function filtersInclude({ audience_filters: filters = [] }: Audience): Finding[] {
  if (filters.length === 0 || filters.some((filter) => filter.mode === 'include')) return [];
  const message =
    'These filters only exclude, so every other fan is reached: add an include filter if that is not meant.';
  return [caution('only-excludes', ['audience_filters'], message, 'key')];
}

/** A typing error in a kind may reach other fans than it reads. */
export function filterKindsAreKnown(
  { audience_filters: filters = [] }: Audience,
  _oddNumberAt: OddNumberAt,
  known: WordsKnown,
): Finding[] {
  return filters.flatMap(({ kind }, index) =>
    checkWord('kinds', kind, ['audience_filters', index, 'kind'], known),
  );
}

/** Days ago and dates exclude each other in one filter (CONTENT-18). */
export function filterRangesAgree({ audience_filters: filters = [] }: Audience): Finding[] {
  return filters.flatMap(({ options = {} }, index) => {
    const path = ['audience_filters', index, 'options'];
    const { from_days: fromDays, to_days: toDays, from_at: fromAt, to_at: toAt } = options;
    if ((fromDays ?? toDays) !== undefined && (fromAt ?? toAt) !== undefined) {
      const message = 'A range in days and one in dates: keep from_days/to_days or from_at/to_at.';
      return [problem('range-twice', path, message, 'key')];
    }
    if (fromDays === undefined || fromDays !== toDays) return [];
    const message = 'from_days equals to_days: this range is empty or one day long, check that it is meant.';
    return [caution('days-equal', [...path, 'to_days'], message)];
  });
}

/** What an import left open: nothing is created with it, and it should not be forgotten. */
export function daysAreWritten({ audience_filters: filters = [] }: Audience): Finding[] {
  return filters.flatMap((filter, index) => {
    if (!leavesDaysOpen(filter)) return [];
    const message =
      'The service never shows whether this filter has a range in days: write from_days and to_days, or remove the line (and `options`, where nothing else is in it). Until then nothing is created with it.';
    return [caution('days-to-write', ['audience_filters', index, 'options', 'from_days'], message)];
  });
}

/** As `daysAreWritten`, for the names of fan lists. */
export function listsAreNamed({ audience_filters: filters = [] }: Audience): Finding[] {
  return filters.flatMap(({ options }, index) =>
    (options?.lists ?? []).flatMap(({ name }, position) => {
      if (!name.startsWith(FAN_LIST_TO_NAME)) return [];
      const path = ['audience_filters', index, 'options', 'lists', position, 'name'];
      const message =
        'The service never shows what this fan list is called: write its name. Until then nothing is created with it.';
      return [caution('list-to-name', path, message)];
    }),
  );
}
