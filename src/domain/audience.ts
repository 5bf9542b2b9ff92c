import * as z from 'zod/mini';
import { idShape } from './ids.ts';
import { filledShape } from './value-shapes.ts';

/** Days-ago ranges go up to 3650 days (CONTENT-18). */
const DAYS_AGO_MAX = 3650;

const daysAgoShape = z
  .int('days are a whole number')
  .check(z.minimum(0, 'days are 0 or more'), z.maximum(DAYS_AGO_MAX, `days go up to ${DAYS_AGO_MAX}`));

/** A declared fan list. A create needs `name`, which the service never returns. `id` is compared. */
export const fanListShape = z.strictObject({
  name: z.string().check(z.regex(/\S/, 'a fan list needs a name')),
  id: z.optional(idShape),
});

/** Placeholder of an import for a fan-list name, which the service never returns. */
export const FAN_LIST_TO_NAME = 'TODO: name of fan list';

const maybeInstantShape = z.optional(z.iso.datetime({ offset: true }));
const maybeDaysAgoShape = z.optional(daysAgoShape);

const filterOptionsShape = z.strictObject({
  from_at: maybeInstantShape,
  to_at: maybeInstantShape,
  from_days: maybeDaysAgoShape,
  to_days: maybeDaysAgoShape,
  lists: z.optional(z.array(fanListShape).check(z.minLength(1, 'name at least one fan list'))),
});

export const audienceFilterShape = z.strictObject({
  kind: filledShape,
  mode: z.enum(['include', 'exclude']),
  options: z.optional(filterOptionsShape),
});

/** One audience filter as sent. No filters mean every fan (CONTENT-15). */
export type AudienceFilter = z.infer<typeof audienceFilterShape>;

/** Placeholder of an import for a range in days, which the service never returns. */
export const DAYS_TO_WRITE = 'TODO: range in days';

const daysToWriteShape = z
  .string()
  .check(z.regex(new RegExp(`^${DAYS_TO_WRITE}`), 'days are a whole number'));

/** The options of a filter as sent, or with a placeholder for its days. */
export const declaredOptionsShape = z.extend(filterOptionsShape, {
  from_days: z.optional(z.union([daysAgoShape, daysToWriteShape])),
});

export const declaredFilterShape = z.extend(audienceFilterShape, {
  options: z.optional(declaredOptionsShape),
});

export type DeclaredFilter = z.infer<typeof declaredFilterShape>;

/** True if an import left its days open. It cannot be created then. */
export function leavesDaysOpen({ options }: DeclaredFilter): boolean {
  return typeof options?.from_days === 'string';
}
