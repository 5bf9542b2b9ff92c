import { FAN_LIST_TO_NAME, leavesDaysOpen } from '../../domain/audience.ts';
import type { WrittenFilter } from '../content-shapes.ts';
import { warning, error, type Finding } from '../findings.ts';
import { checkWord, type WordsKnown } from '../known-words.ts';
import type { OddNumberAt, Rule } from './rule.ts';

interface Audience {
  readonly audience?: 'everyone' | undefined;
  readonly audience_filters?: readonly WrittenFilter[] | undefined;
}

/** Rules for the audience of any resource. */
export const AUDIENCE_RULES: readonly Rule<Audience>[] = [
  audienceIsSaid,
  filtersInclude,
  filterKindsAreKnown,
  dateFiltersHaveRange,
  filterRangesAgree,
  listsAreNamed,
  daysAreWritten,
];

/** Without a filter, every fan is reached. This must be declared explicitly (CONTENT-15). */
function audienceIsSaid({ audience, audience_filters: filters }: Audience): Finding[] {
  if (audience !== undefined && filters !== undefined) {
    const message = '`audience: everyone` and `audience_filters` are both set. Remove one.';
    return [error('audience-twice', ['audience'], message, 'key')];
  }
  if (audience !== undefined || (filters !== undefined && filters.length > 0)) return [];
  const message = 'No audience. Add `audience_filters`, or write `audience: everyone`.';
  return [error('audience-missing', ['audience_filters'], message, 'key')];
}

/** Filters that only exclude reach everyone else, which is rarely intended. */
function filtersInclude({ audience_filters: filters = [] }: Audience): Finding[] {
  if (filters.length === 0 || filters.some((filter) => filter.mode === 'include')) return [];
  const message =
    'These filters only exclude, so all other fans are reached. If you do not want that, add an include filter.';
  return [warning('only-excludes', ['audience_filters'], message, 'key')];
}

/** A typo in a kind could reach the wrong fans. */
function filterKindsAreKnown(
  { audience_filters: filters = [] }: Audience,
  _oddNumberAt: OddNumberAt,
  known: WordsKnown,
): Finding[] {
  return filters.flatMap(({ kind }, index) =>
    checkWord('kinds', kind, ['audience_filters', index, 'kind'], known),
  );
}

/** Days ago and dates exclude each other in one filter (CONTENT-18). */
function filterRangesAgree({ audience_filters: filters = [] }: Audience): Finding[] {
  return filters.flatMap(({ options = {} }, index) => {
    const path = ['audience_filters', index, 'options'];
    const { from_days: fromDays, to_days: toDays, from_at: fromAt, to_at: toAt } = options;
    if ((fromDays ?? toDays) !== undefined && (fromAt ?? toAt) !== undefined) {
      const message = 'Days and dates cannot be combined. Keep from_days/to_days or from_at/to_at.';
      return [error('range-twice', path, message, 'key')];
    }
    const lengthMs = Date.parse(toAt ?? '') - Date.parse(fromAt ?? '');
    if (lengthMs < 0) {
      const message = 'from_at is after to_at, so the range is empty. Swap the two dates, or correct one.';
      return [error('range-reversed', [...path, 'from_at'], message)];
    }
    if (lengthMs === 0) {
      const message = 'from_at equals to_at, so the range is empty or one instant. Check both values.';
      return [warning('range-equal', [...path, 'to_at'], message)];
    }
    if (typeof fromDays === 'number' && toDays !== undefined && fromDays < toDays) {
      const message = `from_days (${fromDays}) is smaller than to_days (${toDays}). Both count days ago, so the range is empty. Swap the two values.`;
      return [warning('days-reversed', [...path, 'from_days'], message)];
    }
    if (fromDays === undefined || fromDays !== toDays) return [];
    const message = 'from_days equals to_days, so the range is empty or one day long. Check both values.';
    return [warning('days-equal', [...path, 'to_days'], message)];
  });
}

/**
 * A date filter without a range could reach every fan, or no fan, and the document does not say which. A fan list does not
 * take the place of the range.
 */
function dateFiltersHaveRange({ audience_filters: filters = [] }: Audience): Finding[] {
  return filters.flatMap(({ kind, options = {} }, index) => {
    if (!DATE_KIND.test(kind)) return [];
    const { from_days: fromDays, to_days: toDays, from_at: fromAt, to_at: toAt, lists } = options;
    const path = ['audience_filters', index];
    if ([fromDays, toDays, fromAt, toAt].every((end) => end === undefined)) {
      const message = `This ${kind} filter has no range, so it may reach every fan. Add options with from_at and to_at, or with from_days and to_days.`;
      return [error('range-missing', path, message)];
    }
    if (lists === undefined) return [];
    const message = `A ${kind} filter is about a range of dates. The document does not say what a fan list does in it. Check the audience on the service.`;
    return [warning('list-with-dates', [...path, 'options', 'lists'], message)];
  });
}

/** The document names `subscribed_date`, and not all other kinds (CONTENT-16). */
const DATE_KIND = /(?:^|_)date(?:_|$)/;

/** Warns about days that an import left open. Nothing can be created with them. */
function daysAreWritten({ audience_filters: filters = [] }: Audience): Finding[] {
  return filters.flatMap((filter, index) => {
    if (!leavesDaysOpen(filter)) return [];
    const message =
      'The service does not return the range in days of this filter. Write from_days and to_days, or remove the line (and an empty `options`). Until then, it cannot be created.';
    return [warning('days-to-write', ['audience_filters', index, 'options', 'from_days'], message)];
  });
}

/** The same as `daysAreWritten`, for names of fan lists. */
function listsAreNamed({ audience_filters: filters = [] }: Audience): Finding[] {
  return filters.flatMap(({ options }, index) =>
    (options?.lists ?? []).flatMap(({ name }, position) => {
      if (!name.startsWith(FAN_LIST_TO_NAME)) return [];
      const path = ['audience_filters', index, 'options', 'lists', position, 'name'];
      const message =
        'The service does not return the name of this fan list. Write it. Until then, this cannot be created.';
      return [warning('list-to-name', path, message)];
    }),
  );
}
