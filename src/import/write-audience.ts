import { DAYS_TO_WRITE, FAN_LIST_TO_NAME } from '../domain/audience.ts';
import type { ObservedFilter } from '../domain/replies.ts';
import { isForm, type Form, type FormPath, type Mark, type Plain } from './form.ts';
import { withoutZeroFraction } from './instant.ts';
import { NotExpressible } from './not-expressible.ts';

export interface WrittenAudience {
  /** `audience: everyone`, or the filters. */
  readonly form: Form;
  readonly marks: readonly Mark[];
}

/** No filters reach every fan, which is written explicitly (CONTENT-15). */
export function writeAudience(live: readonly ObservedFilter[], nowMs: number): WrittenAudience {
  if (live.length === 0) return { form: { audience: 'everyone' }, marks: [] };
  const filters = live.map((filter) => writeFilter(filter, nowMs));
  return {
    form: { audience_filters: filters },
    marks: filters.flatMap((filter, index) => marksOf(filter, ['audience_filters', index])),
  };
}

const FILTER_KEYS: readonly string[] = ['kind', 'mode', 'options'];
const OPTION_KEYS: readonly string[] = ['from_at', 'to_at', 'from_days', 'to_days', 'lists'];

/** One filter. Throws if a create could not make the same audience. */
function writeFilter(live: ObservedFilter, nowMs: number): Form {
  const { kind, mode } = live;
  if (typeof kind !== 'string' || typeof mode !== 'string')
    throw new NotExpressible('The service does not show the kind or mode of one of its filters.');
  refuseUnknown(live, FILTER_KEYS, kind);
  const options = live.options ?? {};
  refuseUnknown(options, OPTION_KEYS, kind);
  const shown = writeOptions(options, kind);
  refuseHiddenRange(kind, shown, nowMs);
  return { kind, mode, options: hasRange(shown) ? shown : { from_days: DAYS_TO_WRITE, ...shown } };
}

/**
 * The service never returns a range in days, which cannot be combined with dates. A filter without dates may have
 * one.
 */
function hasRange(options: Form): boolean {
  return ['from_at', 'to_at', 'from_days', 'to_days'].some((key) => options[key] !== undefined);
}

function refuseUnknown(
  live: Readonly<Record<string, unknown>>,
  known: readonly string[],
  kind: string,
): void {
  const unknown = Object.entries(live).filter(([key, value]) => !known.includes(key) && value != null);
  if (unknown.length === 0) return;
  const keys = unknown.map(([key]) => key).toSorted();
  throw new NotExpressible(
    `Its filter ${kind} has ${keys.join(', ')}, which this version of Herald cannot send. A replace would reach other fans.`,
  );
}

function writeOptions(live: NonNullable<ObservedFilter['options']>, kind: string): Form {
  const options: Record<string, Plain> = {};
  for (const key of ['from_at', 'to_at'] as const) {
    const instant = live[key];
    if (typeof instant === 'string') options[key] = withoutZeroFraction(instant);
  }
  for (const key of ['from_days', 'to_days'] as const) {
    const days = live[key];
    if (days === null || days === undefined) continue;
    if (typeof days !== 'number')
      throw new NotExpressible(`The ${key} of its filter ${kind} is not a number of days.`);
    options[key] = days;
  }
  const lists = live.lists ?? [];
  if (lists.length > 0) options['lists'] = lists.map(({ id }) => ({ name: `${FAN_LIST_TO_NAME} ${id}`, id }));
  return options;
}

/** Kinds that only have dates (CONTENT-18). */
const RANGE_KINDS: readonly string[] = ['subscribed_date'];
const DAY_MS = 86_400_000;
/** Tolerance for the time between the service's answer and now. */
const ROLLING_TOLERANCE_MS = 120_000;

/**
 * Days are never returned (CONTENT-18). A date filter without dates hides them. Dates that are whole days before now
 * move with the clock. Neither can be declared.
 */
function refuseHiddenRange(kind: string, options: Form, nowMs: number): void {
  const dates = [options['from_at'], options['to_at']].filter((date) => typeof date === 'string');
  const isHidden = RANGE_KINDS.includes(kind) && !hasRange(options);
  const rolling = dates.find((date) => isRolling(date, nowMs));
  if (!isHidden && rolling === undefined) return;
  const what =
    rolling === undefined
      ? 'shows no range. Its range is in days, which the service never returns'
      : `reaches back to ${rolling}, which is whole days before now, so it moves with the clock`;
  throw new NotExpressible(
    `Its filter ${kind} ${what}. Declare it by hand, with from_days and to_days.`,
    'hidden-range',
  );
}

/** True for whole days before now, but not on a full minute, as people would write it. */
function isRolling(instant: string, nowMs: number): boolean {
  const ms = Date.parse(instant);
  const rest = (((nowMs - ms) % DAY_MS) + DAY_MS) % DAY_MS;
  return ms % 60_000 !== 0 && Math.min(rest, DAY_MS - rest) <= ROLLING_TOLERANCE_MS;
}

/** Values of this filter that a person has to fill in. */
export function marksOf(filter: Form, path: FormPath): readonly Mark[] {
  const options = isForm(filter['options']) ? filter['options'] : {};
  const lists = namesIn(options).flatMap((name, index) => {
    if (!name.startsWith(FAN_LIST_TO_NAME)) return [];
    const comment = 'the service never returns this name; write it here';
    return [{ path: [...path, 'options', 'lists', index, 'name'], comment }];
  });
  if (options['from_days'] !== DAYS_TO_WRITE) return lists;
  const rest = options['lists'] === undefined ? 'options' : 'this line';
  const comment = `the service never returns a range in days; write from_days and to_days, or remove ${rest} if it has none`;
  return [{ path: [...path, 'options', 'from_days'], comment }, ...lists];
}

function namesIn({ lists }: Form): readonly string[] {
  const given: readonly Plain[] = Array.isArray(lists) ? lists : [];
  return given.map((list) => (isForm(list) && typeof list['name'] === 'string' ? list['name'] : ''));
}
