import { leavesDaysOpen, listIdsOf, type DeclaredFilter } from '../../../domain/audience.ts';
import type { FieldDifference } from '../../../domain/change.ts';
import type { ObservedFilter } from '../../../domain/replies.ts';
import { sameInstant, shown } from './normalise.ts';

export interface AudienceComparison {
  readonly fields: readonly FieldDifference[];
  readonly unverifiable: readonly string[];
}

/** What the state knows of the create behind a live object. */
export interface SentAudience {
  /** List ids that the answer to our own create showed, for filters that pin none; null when unknown. */
  readonly listIds: readonly string[] | null;
  /** Whether it was created from exactly the content that is declared now; null when unknown. */
  readonly isOfThisContent: boolean | null;
}

/**
 * Filters are an unordered multiset (CONTENT-19). Replies show lists by id only (CONTENT-17) and days never (CONTENT-18),
 * so a declared filter is paired with any live one that does not contradict it;
 * what they hide is compared by digest elsewhere.
 *
 * A live date that the file does not state is the service's own when this very content was sent; otherwise
 * the file may have dropped it, which makes the audience wider:
 *
 * | created from                 | dates that no file states |
 * |------------------------------|---------------------------|
 * | what is declared now         | equal                     |
 * | something else               | different                 |
 * | not known                    | unverifiable              |
 */
export function compareAudience(
  declared: readonly DeclaredFilter[],
  observed: readonly ObservedFilter[] | null | undefined,
  sent: SentAudience,
): AudienceComparison {
  if (observed === null || observed === undefined) {
    return { fields: [], unverifiable: declared.length === 0 ? [] : ['audience_filters'] };
  }
  const fits = pairUp(declared, observed, agree) && sameLists(declared, observed, sent.listIds);
  const strictly = sent.isOfThisContent === false ? agreeForCertain(declared) : agreeStrictly;
  if (fits && (pairUp(declared, observed, strictly) || sent.isOfThisContent === true))
    return { fields: [], unverifiable: [] };
  if (fits && sent.isOfThisContent === null) return { fields: [], unverifiable: ['audience_filters'] };
  const old = observed.map(describeObserved).toSorted();
  const wanted = declared.map(describeDeclared).toSorted();
  return { fields: [{ path: 'audience_filters', old, new: wanted }], unverifiable: [] };
}

/**
 * Live filters that may have days that the file does not have. A filter has days or dates (CONTENT-18), so one with a date
 * has no days. For the others, the service does not show it.
 */
export function filtersWithHiddenDays(
  declared: readonly DeclaredFilter[],
  observed: readonly ObservedFilter[] | null | undefined,
): readonly string[] {
  const dateless = (observed ?? []).filter(({ options }) => (options?.from_at ?? options?.to_at) == null);
  return declared.flatMap((filter, index) => {
    const { from_at, to_at, from_days, to_days } = filter.options ?? {};
    const days = leavesDaysOpen(filter) ? to_days : (from_days ?? to_days);
    if ((from_at ?? to_at ?? days) !== undefined) return [];
    if (!dateless.some(({ kind, mode }) => kind === filter.kind && mode === filter.mode)) return [];
    return ['from_days', 'to_days'].map((key) => `audience_filters[${index}].options.${key}`);
  });
}

type Agreement = (declared: DeclaredFilter, live: ObservedFilter) => boolean;

/**
 * Whether every filter finds a partner of its own, whatever the order: a partner that is taken is freed
 * when the one that took it finds another (augmenting paths).
 */
function pairUp(
  declared: readonly DeclaredFilter[],
  observed: readonly ObservedFilter[],
  agreed: Agreement,
): boolean {
  if (declared.length !== observed.length) return false;
  const takenBy = new Map<ObservedFilter, DeclaredFilter>();
  const findPartner = (filter: DeclaredFilter, tried: Set<ObservedFilter>): boolean => {
    for (const candidate of observed) {
      if (tried.has(candidate) || !agreed(filter, candidate)) continue;
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

function agree(declared: DeclaredFilter, live: ObservedFilter): boolean {
  if (declared.kind !== live.kind || declared.mode !== live.mode) return false;
  const [wanted, got] = [declared.options ?? {}, live.options ?? {}];
  return (
    agreeAt(wanted.from_at, got.from_at) &&
    agreeAt(wanted.to_at, got.to_at) &&
    agreeLists(wanted.lists ?? [], got.lists ?? [])
  );
}

/** As `agree`, and the live one has no date of its own; days may show as dates (CONTENT-18). */
function agreeStrictly(declared: DeclaredFilter, live: ObservedFilter): boolean {
  const [wanted, got] = [declared.options ?? {}, live.options ?? {}];
  const ownDates =
    (wanted.from_at === undefined && got.from_at != null) ||
    (wanted.to_at === undefined && got.to_at != null);
  return agree(declared, live) && (inDays(declared) || !ownDates);
}

/**
 * As `agreeStrictly`, for an object that was sent with something else: a live date is taken for the days of a filter
 * only where it cannot be one that another filter has lost since.
 */
function agreeForCertain(declared: readonly DeclaredFilter[]): Agreement {
  const mayHaveLost = new Set(
    declared.filter((filter) => !isDated(filter)).map(({ kind, mode }) => `${mode} ${kind}`),
  );
  return (filter, live) => {
    const { from_at, to_at } = live.options ?? {};
    const isGuess = inDays(filter) && (from_at ?? to_at) != null;
    return agreeStrictly(filter, live) && !(isGuess && mayHaveLost.has(`${filter.mode} ${filter.kind}`));
  };
}

function inDays({ options }: DeclaredFilter): boolean {
  return (options?.from_days ?? options?.to_days) !== undefined;
}

/** Whether it says a range, in dates or in days. */
function isDated(filter: DeclaredFilter): boolean {
  return inDays(filter) || (filter.options?.from_at ?? filter.options?.to_at) !== undefined;
}

function agreeAt(wanted: string | undefined, got: string | null | undefined): boolean {
  if (wanted === undefined) return true;
  return got !== null && got !== undefined && sameInstant(wanted, got);
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
  const allPinned = declared.every((filter) =>
    (filter.options?.lists ?? []).every((list) => list.id !== undefined),
  );
  return learned === null || allPinned || shown(learned) === shown(listIdsOf(observed));
}

/** A filter in a few words, as declared. */
export function describeDeclared(filter: DeclaredFilter): string {
  const { from_at, to_at, from_days, to_days, lists } = filter.options ?? {};
  const names = lists?.map((list) =>
    list.id === undefined ? `"${list.name}"` : `"${list.name}" (${list.id})`,
  );
  return words(filter.mode, filter.kind, { from_at, to_at, from_days, to_days, lists: names?.join(' + ') });
}

function describeObserved(filter: ObservedFilter): string {
  const { from_at, to_at, lists } = filter.options ?? {};
  const ids = lists?.map((list) => `list ${list.id}`).join(' + ');
  return words(filter.mode ?? '?', filter.kind ?? '?', { from_at, to_at, lists: ids });
}

function words(
  mode: string,
  kind: string,
  options: Readonly<Record<string, string | number | null | undefined>>,
): string {
  const parts = Object.entries(options).flatMap(([key, value]) =>
    value === undefined || value === null || value === '' ? [] : [OPTION_WORDS[key]?.(String(value)) ?? ''],
  );
  return [mode, kind, ...parts].join(' ');
}

/** `from 30 days ago to today`, `in "VIP" (77)` */
const OPTION_WORDS: Readonly<Record<string, (value: string) => string>> = {
  from_at: (time) => `from ${time}`,
  to_at: (time) => `to ${time}`,
  from_days: (days) => `from ${daysAgo(days)}`,
  to_days: (days) => `to ${daysAgo(days)}`,
  lists: (lists) => `in ${lists}`,
};

function daysAgo(days: string): string {
  if (days === '0') return 'today';
  return days === '1' ? '1 day ago' : `${days} days ago`;
}
