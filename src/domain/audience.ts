import { z } from 'zod';
import { canonical, digest } from './digest.ts';
import { idShape, wireIdShape } from './ids.ts';
import { maybe } from './lenient.ts';

/** Days-ago ranges go up to 3650 days (service-api.md, Audience filter). */
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

/** One audience filter as declared. An empty set of filters means every fan (service-api.md, Campaign). */
export type AudienceFilter = z.infer<typeof audienceFilterShape>;

/** The filter kinds that the document names; others pass with a warning. */
export const KNOWN_FILTER_KINDS: readonly string[] = ['subscribed_date', 'purchased_from_organisation'];

/** A filter as replies carry it: lists by id only, days never (service-api.md, Audience filter). */
export const observedFilterShape = z.looseObject({
  kind: maybe(z.string()),
  mode: maybe(z.string()),
  options: maybe(
    z.looseObject({
      from_at: maybe(z.string()),
      to_at: maybe(z.string()),
      lists: maybe(z.array(z.looseObject({ id: wireIdShape }))),
    }),
  ),
});
export type ObservedFilter = z.infer<typeof observedFilterShape>;

/** The declared values that no reply ever shows, by path: fan-list names and days. */
export function hiddenOf(filters: readonly AudienceFilter[]): Readonly<Record<string, unknown>> {
  const hidden: Record<string, unknown> = {};
  filters.forEach((filter, index) => {
    const path = `audience_filters[${index}].options`;
    filter.options?.lists?.forEach((list, place) => (hidden[`${path}.lists[${place}].name`] = list.name));
    if (filter.options?.from_days !== undefined) hidden[`${path}.from_days`] = filter.options.from_days;
    if (filter.options?.to_days !== undefined) hidden[`${path}.to_days`] = filter.options.to_days;
  });
  return hidden;
}

/** Fingerprint of what `hiddenOf` lists, whatever the order in which filters and lists are written. */
export function hiddenDigest(filters: readonly AudienceFilter[]): string {
  const parts = filters.map(({ kind, mode, options = {} }) => {
    const { from_days, to_days, lists } = options;
    return canonical({ kind, mode, from_days, to_days, lists: lists?.map((list) => list.name).toSorted() });
  });
  return digest(parts.toSorted());
}

/** The ids of all fan lists that a reply shows, sorted. */
export function listIdsOf(observed: readonly ObservedFilter[] | null | undefined): readonly string[] {
  return (observed ?? [])
    .flatMap((filter) => (filter.options?.lists ?? []).map((list) => list.id))
    .toSorted();
}
