import type { Change, ChangeKind } from '../domain/change.ts';
import { compareText } from '../domain/diagnostic.ts';
import { canonical } from '../domain/digest.ts';
import { groupBy } from '../domain/group-by.ts';
import type { Model } from './model.ts';
import { isQuiet, localIn, minutesOf } from './zone.ts';

/** A broadcast at one time, on all accounts that have it then. */
export interface CalendarEvent {
  readonly atMs: number;
  readonly name: string;
  readonly action: ChangeKind;
  /** The card's id, or null for what stays as it is. */
  readonly card: string | null;
  readonly accounts: readonly string[];
  /** The old time of a broadcast that moves. */
  readonly isOld: boolean;
}

interface Occurrence {
  readonly change: Change;
  readonly atMs: number;
  readonly isOld: boolean;
}

/** All broadcasts with a time from the day of the plan on, sorted. */
export function eventsOf(model: Model): readonly CalendarEvent[] {
  const fromMs = (model.plannedMs ?? 0) - DAY_BEFORE_MS;
  const occurrences = model.plan.changes.flatMap((change) => occurrencesOf(change, model));
  const groups = groupBy(
    occurrences.filter(({ atMs }) => atMs >= fromMs),
    ({ change, atMs, isOld }) =>
      `${atMs}\n${change.action}\n${isOld}\n${model.cardOf.get(change)?.id ?? ''}\n${change.address.name}`,
  );
  return [...groups.values()]
    .flatMap((same): readonly CalendarEvent[] => {
      const [first] = same;
      if (first === undefined) return [];
      return [
        {
          atMs: first.atMs,
          name: first.change.address.name,
          action: first.change.action,
          card:
            model.cardOf.get(first.change)?.id ?? (first.change.action === 'unmanaged' ? 'unmanaged' : null),
          accounts: [...new Set(same.map(({ change }) => change.address.account))],
          isOld: first.isOld,
        },
      ];
    })
    .toSorted((left, right) => left.atMs - right.atMs || compareText(left.name, right.name));
}

/** What went out earlier on the day of the plan is still on that day, in any zone. */
const DAY_BEFORE_MS = 24 * 3_600_000;

/** The time of a broadcast, and its old time if it moves. Empty for a campaign. */
export function occurrencesOf(change: Change, { contents }: Pick<Model, 'contents'>): readonly Occurrence[] {
  if (change.address.kind !== 'broadcast') return [];
  const declared = change.content === undefined ? undefined : contents[change.content]?.scheduled_at;
  const [declaredMs, liveMs] = [Date.parse(declared ?? ''), Date.parse(change.scheduled_at ?? '')];
  const isMoved = change.action === 'replace' && !Number.isNaN(liveMs) && declaredMs !== liveMs;
  const atMs = Number.isNaN(declaredMs) ? liveMs : declaredMs;
  if (Number.isNaN(atMs)) return [];
  return [{ change, atMs, isOld: false }, ...(isMoved ? [{ change, atMs: liveMs, isOld: true }] : [])];
}

/** Something about times that a person should know, worst first. */
export interface CalendarFinding {
  readonly atMs: number;
  readonly kind: 'crowded' | 'same-fans' | 'quiet';
  readonly names: readonly string[];
  readonly accounts: readonly string[];
  readonly count: number;
}

/** Up to three broadcasts run at the same time (BROADCAST-9). */
const AT_ONCE_MAX = 3;
const NEAR_MS = 3_600_000;

/** What goes out, or stays scheduled. */
export const WILL_SEND: readonly ChangeKind[] = ['create', 'replace', 'resume', 'keep', 'unmanaged'];

export function findingsOf(model: Model): readonly CalendarFinding[] {
  const now = model.plannedMs ?? 0;
  const sends = model.plan.changes
    .filter(({ action }) => WILL_SEND.includes(action))
    .flatMap((change) => occurrencesOf(change, model))
    .filter(({ isOld, atMs }) => !isOld && atMs >= now)
    .toSorted((left, right) => left.atMs - right.atMs);
  const byAccount = groupBy(sends, ({ change }) => change.address.account);
  const found: CalendarFinding[] = [];
  for (const [account, own] of byAccount) {
    for (const together of groupBy(own, ({ atMs }) => String(atMs)).values())
      if (together.length > AT_ONCE_MAX) found.push(crowded(account, together));
    const crowds = new Set(
      found
        .filter(({ kind, accounts }) => kind === 'crowded' && accounts[0] === account)
        .map(({ atMs }) => atMs),
    );
    own.forEach((one, index) => {
      for (const other of own.slice(index + 1)) {
        if (other.atMs - one.atMs > NEAR_MS) break;
        if (one.atMs === other.atMs && crowds.has(one.atMs)) continue;
        if (reachSameFans(one.change, other.change, model))
          found.push({
            atMs: one.atMs,
            kind: 'same-fans',
            names: [one.change.address.name, other.change.address.name],
            accounts: [account],
            count: 2,
          });
      }
    });
  }
  const { quiet } = model;
  if (quiet !== undefined)
    for (const { change, atMs } of sends)
      if (isQuiet(localIn(quiet.timezone, atMs).minutes, minutesOf(quiet.from), minutesOf(quiet.to)))
        found.push({
          atMs,
          kind: 'quiet',
          names: [change.address.name],
          accounts: [change.address.account],
          count: 1,
        });
  return merged(found);
}

function crowded(account: string, together: readonly Occurrence[]): CalendarFinding {
  return {
    atMs: together[0]?.atMs ?? 0,
    kind: 'crowded',
    names: together.map(({ change }) => change.address.name).toSorted(compareText),
    accounts: [account],
    count: together.length,
  };
}

/** Both go to everyone, one of them does, or both have the same filters. Other overlaps cannot be known from here. */
function reachSameFans(one: Change, other: Change, { contents }: Model): boolean {
  const [left, right] = [one, other].map(({ content }) => {
    return content === undefined ? undefined : contents[content]?.audience_filters;
  });
  if (left === undefined || right === undefined) return false;
  return left.length === 0 || right.length === 0 || canonical(left) === canonical(right);
}

const RANK = { quiet: 0, crowded: 1, 'same-fans': 2 } as const satisfies Record<
  CalendarFinding['kind'],
  number
>;

/** The same on several accounts is one finding. */
function merged(found: readonly CalendarFinding[]): readonly CalendarFinding[] {
  const groups = groupBy(found, ({ kind, atMs, names }) => JSON.stringify([kind, atMs, names]));
  return [...groups.values()]
    .flatMap((same) => {
      const [first] = same;
      return first === undefined
        ? []
        : [
            {
              ...first,
              accounts: [...new Set(same.flatMap(({ accounts }) => accounts))].toSorted(compareText),
            },
          ];
    })
    .toSorted(
      (left, right) =>
        RANK[left.kind] - RANK[right.kind] ||
        left.atMs - right.atMs ||
        compareText(left.names.join(), right.names.join()),
    );
}
