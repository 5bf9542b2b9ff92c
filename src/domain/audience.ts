import * as z from 'zod';
import { idShape } from './ids.ts';
import type { ObservedFilter } from './replies.ts';

/** Days-ago ranges go up to 3650 days (CONTENT-18). */
const DAYS_AGO_MAX = 3650;

const daysAgoShape = z
  .int('days are a whole number')
  .min(0, 'days are 0 or more')
  .max(DAYS_AGO_MAX, `days go up to ${DAYS_AGO_MAX}`);

/** A fan list as declared: `name` is required on create and never returned; `id` may pin what is compared. */
export const fanListShape = z.strictObject({
  name: z.string().regex(/\S/, 'a fan list needs its name'),
  id: idShape.optional(),
});

/** Begins a fan-list name that an import had to leave open, because no reply ever shows it. */
export const FAN_LIST_TO_NAME = 'TODO: name of fan list';

export const audienceFilterShape = z.strictObject({
  kind: z.string().min(1),
  mode: z.enum(['include', 'exclude']),
  options: z
    .strictObject({
      from_at: z.iso.datetime({ offset: true }).optional(),
      to_at: z.iso.datetime({ offset: true }).optional(),
      from_days: daysAgoShape.optional(),
      to_days: daysAgoShape.optional(),
      lists: z.array(fanListShape).min(1, 'name at least one fan list').optional(),
    })
    .optional(),
});

/** One audience filter as sent. An empty set of filters means every fan (CONTENT-15). */
export type AudienceFilter = z.infer<typeof audienceFilterShape>;

/** Stands for a range in days that an import had to leave open, because no reply ever shows one. */
export const DAYS_TO_WRITE = 'TODO: range in days';

const daysToWriteShape = z.string().regex(new RegExp(`^${DAYS_TO_WRITE}`), 'days are a whole number');

const optionsShape = audienceFilterShape.shape.options.unwrap();

/** As sent, or with a range in days that is still to be written. */
export const declaredFilterShape = audienceFilterShape.extend({
  options: optionsShape
    .extend({ from_days: z.union([daysAgoShape, daysToWriteShape]).optional() })
    .optional(),
});

/** One audience filter as declared. */
export type DeclaredFilter = z.infer<typeof declaredFilterShape>;

/** Whether an import left open what range in days it has; nothing is created with it. */
export function leavesDaysOpen({ options }: DeclaredFilter): boolean {
  return typeof options?.from_days === 'string';
}

/** The filter kinds that the document names; others pass with a warning. */
export const KNOWN_FILTER_KINDS: readonly string[] = ['subscribed_date', 'purchased_from_organisation'];

/** The ids of all fan lists that a reply shows, sorted. */
export function listIdsOf(observed: readonly ObservedFilter[] | null | undefined): readonly string[] {
  return (observed ?? [])
    .flatMap((filter) => (filter.options?.lists ?? []).map((list) => list.id))
    .toSorted();
}
