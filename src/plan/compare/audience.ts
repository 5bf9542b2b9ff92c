import { type DeclaredFilter, leavesDaysOpen } from '../../domain/content.ts';
import { canonical } from '../../domain/digest.ts';
import type { ObservedFilter } from '../../domain/replies.ts';
import { parseInstant, type Findings } from './fields.ts';

/** What the state knows of the audience that a live object was created with. */
interface SentAudience {
  /** Ids of the fan lists that were read back; null when unknown. */
  readonly listIds: readonly string[] | null;
  /** What `listHidden` named at the create, as far as it is known. */
  readonly hidden: Readonly<Record<string, unknown>>;
  /** Whether `digestHidden` of the create is that of the file; null when unknown. */
  readonly hasSameHidden: boolean | null;
  readonly isIgnored: (path: string) => boolean;
}

/**
 * Filters are an unordered multiset (CONTENT-19). Replies show lists by id only (CONTENT-17) and days never (CONTENT-18),
 * so a declared filter is paired with any live one that does not contradict it.
 *
 * | what a reply shows   | list names and days           | verdict      |
 * |----------------------|-------------------------------|--------------|
 * | contradicts the file | anything                      | different    |
 * | fits                 | were sent as in the file      | equal        |
 * | fits                 | were sent otherwise           | different    |
 * | fits                 | it is not known what was sent | unverifiable |
 */
export function compareAudience(
  declared: readonly DeclaredFilter[],
  observed: readonly ObservedFilter[] | null | undefined,
  { listIds, hidden: sent, hasSameHidden, isIgnored }: SentAudience,
): Findings {
  const unknown = { fields: [], unverifiable: declared.length === 0 ? [] : ['audience_filters'] };
  if (observed === null || observed === undefined) return unknown;
  const difference = {
    path: 'audience_filters',
    old: observed.map(describeFilter).toSorted(),
    new: declared.map(describeFilter).toSorted(),
  };
  const different = { fields: [difference], unverifiable: [] };
  if (!pairUp(declared, observed) || !sameLists(declared, observed, listIds)) return different;
  if (hasSameHidden === true) return { fields: [], unverifiable: [] };
  const hidden = Object.entries(listHidden(declared));
  // One digest stands for all of them: where some are ignored, it does not tell whether the others differ.
  if (hasSameHidden === null || hidden.some(([path]) => isIgnored(path))) return unknown;
  const other = 'another value (never shown by the service)';
  const fields = hidden
    .filter(([path, wanted]) => sent[path] !== wanted)
    .map(([path, wanted]) => ({ path, old: sent[path] ?? other, new: wanted }));
  return fields.length === 0 ? different : { fields, unverifiable: [] };
}

/**
 * Whether every filter finds a partner of its own, whatever the order: a partner that is taken is freed
 * when the one that took it finds another (augmenting paths).
 */
function pairUp(declared: readonly DeclaredFilter[], observed: readonly ObservedFilter[]): boolean {
  if (declared.length !== observed.length) return false;
  const takenBy = new Map<ObservedFilter, DeclaredFilter>();
  const findPartner = (filter: DeclaredFilter, tried: Set<ObservedFilter>): boolean => {
    for (const candidate of observed) {
      if (tried.has(candidate) || !agree(filter, candidate)) continue;
      tried.add(candidate);
      const holder = takenBy.get(candidate);
      if (holder === undefined || findPartner(holder, tried)) {
        takenBy.set(candidate, filter);
        return true;
      }
    }
    return false;
  };
  return declared.every((filter) => findPartner(filter, new Set()));
}

/** A date of one side only contradicts, but days may show as dates (CONTENT-18). */
function agree(declared: DeclaredFilter, live: ObservedFilter): boolean {
  if (declared.kind !== live.kind || declared.mode !== live.mode) return false;
  const [wanted, got] = [declared.options ?? {}, live.options ?? {}];
  const inDays = (wanted.from_days ?? wanted.to_days) !== undefined;
  const isAt = (date: string | undefined, shown: string | null | undefined) =>
    date === undefined ? inDays || shown == null : parseInstant(date) === parseInstant(shown);
  return (
    isAt(wanted.from_at, got.from_at) &&
    isAt(wanted.to_at, got.to_at) &&
    agreeLists(wanted.lists ?? [], got.lists ?? [])
  );
}

/** As sets of ids, as far as the file pins them; the rest is only counted (CONTENT-17). */
function agreeLists(wanted: readonly { id?: string | undefined }[], got: readonly { id: string }[]): boolean {
  const ids = new Set(got.map((list) => list.id));
  const pinned = new Set(wanted.flatMap(({ id }) => (id === undefined ? [] : [id])));
  const isPinned = wanted.every(({ id }) => id !== undefined);
  const sameCount = isPinned ? pinned.size === ids.size : wanted.length === got.length;
  return sameCount && [...pinned].every((id) => ids.has(id));
}

/** Lists that the file does not pin are compared with what our own create was answered. */
function sameLists(
  declared: readonly DeclaredFilter[],
  observed: readonly ObservedFilter[],
  learned: readonly string[] | null,
): boolean {
  const lists = declared.flatMap(({ options }) => options?.lists ?? []);
  const isPinned = lists.every(({ id }) => id !== undefined);
  return learned === null || isPinned || canonical(learned) === canonical(listIds(observed));
}

/** A filter in a few words: `include subscribed_date from 30 days ago to today in "VIP" (77)`. */
export function describeFilter({ mode, kind, options }: DeclaredFilter | ObservedFilter): string {
  const { from_at, to_at, from_days, to_days, lists } = (options ?? {}) as DeclaredFilter['options'] & object;
  const from = from_days === undefined ? from_at : daysAgo(from_days);
  const to = to_days === undefined ? to_at : daysAgo(to_days);
  const names = (lists ?? []).map(
    ({ id, name }: { readonly id?: string | undefined; readonly name?: string }) => {
      if (name === undefined) return `list ${id ?? '?'}`;
      return id === undefined ? canonical(name) : `${canonical(name)} (${id})`;
    },
  );
  return [
    mode ?? '?',
    kind ?? '?',
    ...(from == null ? [] : [`from ${from}`]),
    ...(to == null ? [] : [`to ${to}`]),
    ...(names.length === 0 ? [] : [`in ${names.join(' + ')}`]),
  ].join(' ');
}

function daysAgo(days: string | number): string {
  if (days === 0) return 'today';
  return days === 1 ? '1 day ago' : `${days} days ago`;
}

/** Declared values that the service never returns, by path: fan-list names and days, without open ones. */
export function listHidden(filters: readonly DeclaredFilter[]): Readonly<Record<string, unknown>> {
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

export function listIds(observed: readonly ObservedFilter[] | null | undefined): readonly string[] {
  return (observed ?? []).flatMap(({ options }) => (options?.lists ?? []).map(({ id }) => id)).toSorted();
}
