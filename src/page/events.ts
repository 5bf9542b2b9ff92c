import type { Change, ChangeKind } from '../domain/change.ts';
import { compareText } from '../domain/diagnostic.ts';
import { canonical } from '../domain/digest.ts';
import { groupBy } from '../domain/group-by.ts';
import { accountsIn } from '../render/groups.ts';
import { zoneFor, type Model } from './model.ts';

/** A broadcast at one time, on all accounts that have it then. */
export interface CalendarEvent {
  readonly atMs: number;
  /** The zone in which the file declares it. */
  readonly zone: string;
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

/** What went out earlier on the day of the plan is still on that day, in any zone. */
const DAY_BEFORE_MS = 24 * 3_600_000;

/** All broadcasts with a time from the day of the plan on, sorted. */
export function listEvents(model: Model): readonly CalendarEvent[] {
  const fromMs = (model.plannedMs ?? 0) - DAY_BEFORE_MS;
  const events = model.plan.changes
    .flatMap((change) => listTimes(change, model))
    .filter(({ atMs }) => atMs >= fromMs)
    .map(({ change, atMs, isOld }) => {
      const { address, action, content } = change;
      const card = model.cardIds.get(change) ?? (action === 'unmanaged' ? 'unmanaged' : null);
      const zone = zoneFor(content === undefined ? null : (model.contents[content] ?? null), model.zone);
      return { change, event: { atMs, zone, name: address.name, action, card, isOld } };
    });
  return [...groupBy(events, ({ event }) => JSON.stringify(event)).values()]
    .flatMap((same) => {
      const [first] = same;
      return first === undefined
        ? []
        : [{ ...first.event, accounts: accountsIn(same.map(({ change }) => change)) }];
    })
    .toSorted((left, right) => left.atMs - right.atMs || compareText(left.name, right.name));
}

/** The time of a broadcast, and its old time if it moves. Empty for a campaign. */
function listTimes(change: Change, { contents }: Pick<Model, 'contents'>): readonly Occurrence[] {
  if (change.address.kind !== 'broadcast') return [];
  const declared = change.content === undefined ? undefined : contents[change.content]?.scheduled_at;
  const [declaredMs, liveMs] = [Date.parse(declared ?? ''), Date.parse(change.scheduled_at ?? '')];
  const isMoved = change.action === 'replace' && !Number.isNaN(liveMs) && declaredMs !== liveMs;
  const atMs = Number.isNaN(declaredMs) ? liveMs : declaredMs;
  if (Number.isNaN(atMs)) return [];
  return [{ change, atMs, isOld: false }, ...(isMoved ? [{ change, atMs: liveMs, isOld: true }] : [])];
}

/** What goes out, or stays scheduled. */
const WILL_SEND: readonly ChangeKind[] = ['create', 'replace', 'resume', 'keep', 'unmanaged'];

/** Broadcasts that go out after the plan, sorted by their time. */
function listSends(model: Pick<Model, 'plan' | 'contents' | 'plannedMs'>): readonly Occurrence[] {
  return model.plan.changes
    .filter(({ action }) => WILL_SEND.includes(action))
    .flatMap((change) => listTimes(change, model))
    .filter(({ isOld, atMs }) => !isOld && atMs >= (model.plannedMs ?? 0))
    .toSorted((left, right) => left.atMs - right.atMs);
}

/** Broadcasts with times that are too close. */
export interface Clash {
  readonly kind: 'crowded' | 'same-fans';
  readonly atMs: number;
  readonly names: readonly string[];
  readonly accounts: readonly string[];
}

/** Up to three broadcasts run at the same time (BROADCAST-9). */
const AT_ONCE_MAX = 3;
const NEAR_MS = 3_600_000;

/** Clashes of the accounts, the worst first. Equal ones are one, with all of their accounts. */
export function findClashes(model: Model): readonly Clash[] {
  const byAccount = groupBy(listSends(model), ({ change }) => change.address.account);
  const found = [...byAccount].flatMap(([account, own]) =>
    findClashesOn(own, model).map((clash) => ({ clash, account })),
  );
  return [...groupBy(found, ({ clash }) => JSON.stringify(clash)).values()]
    .flatMap((same) => {
      const [first] = same;
      return first === undefined ? [] : [{ ...first.clash, accounts: same.map(({ account }) => account) }];
    })
    .toSorted(
      (left, right) =>
        compareText(left.kind, right.kind) ||
        left.atMs - right.atMs ||
        compareText(left.names.join(), right.names.join()),
    );
}

function findClashesOn(own: readonly Occurrence[], model: Model): readonly Omit<Clash, 'accounts'>[] {
  const together = [...groupBy(own, ({ atMs }) => atMs)].filter(([, same]) => same.length > AT_ONCE_MAX);
  const crowds = new Set(together.map(([atMs]) => atMs));
  const near = own.flatMap((one, index) =>
    own
      .slice(index + 1)
      .filter(({ atMs }) => atMs - one.atMs <= NEAR_MS && (atMs !== one.atMs || !crowds.has(atMs)))
      .filter((other) => reachSameFans(one.change, other.change, model))
      .map((other) => ({ kind: 'same-fans' as const, atMs: one.atMs, names: listNames([one, other]) })),
  );
  const crowded = together.map(([atMs, same]) => ({
    kind: 'crowded' as const,
    atMs,
    names: listNames(same),
  }));
  return [...crowded, ...near];
}

/** Both go to everyone, one of them does, or both have the same filters. Other overlaps cannot be known from here. */
function reachSameFans(one: Change, other: Change, { contents }: Model): boolean {
  const [left, right] = [one, other].map(({ content }) => {
    return content === undefined ? undefined : contents[content]?.audience_filters;
  });
  if (left === undefined || right === undefined) return false;
  return left.length === 0 || right.length === 0 || canonical(left) === canonical(right);
}

function listNames(occurrences: readonly Occurrence[]): readonly string[] {
  return occurrences.map(({ change }) => change.address.name);
}
