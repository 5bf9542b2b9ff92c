import { DAYS_TO_WRITE, FAN_LIST_TO_NAME } from '../domain/audience.ts';
import type { ObservedFilter } from '../domain/replies.ts';
import { isForm, type Form, type FormPath, type Mark, type Plain } from './form.ts';
import { NotExpressible } from './not-expressible.ts';

export interface WrittenAudience {
  /** `audience: everyone`, or the filters. */
  readonly form: Form;
  readonly marks: readonly Mark[];
}

/** An empty set of filters reaches every fan, which is said aloud (CONTENT-15). */
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

/** One filter; refuses what a create could only make wider or other than it is. */
function writeFilter(live: ObservedFilter, nowMs: number): Form {
  const { kind, mode } = live;
  if (typeof kind !== 'string' || typeof mode !== 'string')
    throw new NotExpressible('The service does not show the kind or the mode of a filter of its audience.');
  refuseUnknown(live, FILTER_KEYS, kind);
  const options = live.options ?? {};
  refuseUnknown(options, OPTION_KEYS, kind);
  const shown = writeOptions(options, kind);
  refuseHiddenRange(kind, shown, nowMs);
  return { kind, mode, options: hasRange(shown) ? shown : { from_days: DAYS_TO_WRITE, ...shown } };
}

/** A range in days is never shown, and excludes one in dates: where neither shows, there may be one in days. */
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
    `Its filter ${kind} has ${keys.join(', ')}, which this version of Herald cannot send: a replace would reach others.`,
  );
}

function writeOptions(live: NonNullable<ObservedFilter['options']>, kind: string): Form {
  const options: Record<string, Plain> = {};
  for (const key of ['from_at', 'to_at'] as const) {
    const instant = live[key];
    if (typeof instant === 'string') options[key] = instant;
  }
  for (const key of ['from_days', 'to_days'] as const) {
    const days = live[key];
    if (days === null || days === undefined) continue;
    if (typeof days !== 'number')
      throw new NotExpressible(`The ${key} of its filter ${kind} is no number of days.`);
    options[key] = days;
  }
  const lists = live.lists ?? [];
  if (lists.length > 0) options['lists'] = lists.map(({ id }) => ({ name: `${FAN_LIST_TO_NAME} ${id}`, id }));
  return options;
}

/** Kinds that are about a date and nothing else (CONTENT-18). */
const RANGE_KINDS: readonly string[] = ['subscribed_date'];
const DAY_MS = 86_400_000;
/** Between the service's answer and now, as far as its clock tells. */
const ROLLING_TOLERANCE_MS = 120_000;

/**
 * Days ago are never shown (CONTENT-18): a filter on dates without any hides them, and one
 * whose dates lie whole days before this moment moves with the clock. Neither can be declared as it is.
 */
function refuseHiddenRange(kind: string, options: Form, nowMs: number): void {
  const dates = [options['from_at'], options['to_at']].filter((date) => typeof date === 'string');
  const isHidden = RANGE_KINDS.includes(kind) && !hasRange(options);
  const rolling = dates.find((date) => isRolling(date, nowMs));
  if (!isHidden && rolling === undefined) return;
  const what =
    rolling === undefined
      ? 'shows no range: it reaches back a number of days, which the service never shows'
      : `reaches back to ${rolling}, whole days before this moment: it moves with the clock`;
  throw new NotExpressible(
    `Its filter ${kind} ${what}. Declare it by hand, with from_days and to_days.`,
    'hidden-range',
  );
}

/** Whole days before now, and not on a whole minute, where a person or a calendar would put it. */
function isRolling(instant: string, nowMs: number): boolean {
  const ms = Date.parse(instant);
  const rest = (((nowMs - ms) % DAY_MS) + DAY_MS) % DAY_MS;
  return ms % 60_000 !== 0 && Math.min(rest, DAY_MS - rest) <= ROLLING_TOLERANCE_MS;
}

/** What a filter at this place leaves to a person. */
export function marksOf(filter: Form, path: FormPath): readonly Mark[] {
  const options = isForm(filter['options']) ? filter['options'] : {};
  const lists = namesIn(options).flatMap((name, index) => {
    if (!name.startsWith(FAN_LIST_TO_NAME)) return [];
    const comment = 'the service never shows this name; write it here';
    return [{ path: [...path, 'options', 'lists', index, 'name'], comment }];
  });
  if (options['from_days'] !== DAYS_TO_WRITE) return lists;
  const rest = options['lists'] === undefined ? 'options' : 'this line';
  const comment = `the service never shows a range in days; write from_days and to_days, or remove ${rest} if it has none`;
  return [{ path: [...path, 'options', 'from_days'], comment }, ...lists];
}

function namesIn({ lists }: Form): readonly string[] {
  const given: readonly Plain[] = Array.isArray(lists) ? lists : [];
  return given.map((list) => (isForm(list) && typeof list['name'] === 'string' ? list['name'] : ''));
}
