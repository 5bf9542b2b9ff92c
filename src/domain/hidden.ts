import { leavesDaysOpen, type DeclaredFilter } from './audience.ts';
import { canonical, digest } from './digest.ts';

/** Declared values that the service never returns, by path: fan-list names and days, without open ones. */
export function hiddenOf(filters: readonly DeclaredFilter[]): Readonly<Record<string, unknown>> {
  const hidden: Record<string, unknown> = {};
  filters.forEach((filter, index) => {
    const path = `audience_filters[${index}].options`;
    filter.options?.lists?.forEach((list, place) => (hidden[`${path}.lists[${place}].name`] = list.name));
    if (filter.options?.from_days !== undefined && !leavesDaysOpen(filter))
      hidden[`${path}.from_days`] = filter.options.from_days;
    if (filter.options?.to_days !== undefined) hidden[`${path}.to_days`] = filter.options.to_days;
  });
  return hidden;
}

/** Fingerprint of `hiddenOf`. The order of filters and lists does not matter. */
export function hiddenDigest(filters: readonly DeclaredFilter[]): string {
  const parts = filters.map((filter) => {
    const { kind, mode, options = {} } = filter;
    const { to_days, lists } = options;
    const from_days = leavesDaysOpen(filter) ? undefined : options.from_days;
    return canonical({ kind, mode, from_days, to_days, lists: lists?.map((list) => list.name).toSorted() });
  });
  return digest(parts.toSorted());
}
