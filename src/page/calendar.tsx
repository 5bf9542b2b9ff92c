import type { FC } from 'hono/jsx';
import { count } from '../render/wording.ts';
import { type Model, zoneFor } from './model.ts';
import { listed, Mark, Text, Time } from './text.tsx';
import { labelAction } from './words.ts';
import type { ChangeKind, Change } from '../domain/change.ts';
import { groupBy } from '../domain/group-by.ts';
import { accountsIn } from '../render/groups.ts';
import { compareText } from '../domain/diagnostic.ts';
import { canonical } from '../domain/digest.ts';

const CLASHES_SHOWN = 5;

const NAMES_MAX = 3;

/** Broadcasts in the order of their times, with what a person should know about these. */
export const Calendar: FC<{ readonly model: Model }> = ({ model }) => {
  const events = listEvents(model);
  const clashes = findClashes(model).map((clash) => <DrawnClash clash={clash} model={model} />);
  const more = clashes.length - CLASHES_SHOWN;
  return (
    <section id="calendar" aria-labelledby="h-cal">
      <div class="sec-h">
        <h2 id="h-cal">Calendar</h2>
      </div>
      {events.length === 0 ? <p class="mute">No broadcasts from this day on.</p> : null}
      <ul class="finds">{clashes.slice(0, CLASHES_SHOWN)}</ul>
      {more > 0 ? (
        <details class="more">
          <summary>and {more} more</summary>
          <ul class="finds">{clashes.slice(CLASHES_SHOWN)}</ul>
        </details>
      ) : null}
      {events.length === 0 ? null : (
        <ol class="events">
          {events.map((event, index) => (
            <Event event={event} isNewDay={isNewDay(events[index - 1], event)} model={model} />
          ))}
        </ol>
      )}
    </section>
  );
};

/** The hours of a day as a line, with a pin at the hour of the zone that the file declares. */
const Event: FC<{ readonly event: CalendarEvent; readonly isNewDay: boolean; readonly model: Model }> = ({
  event: { atMs, zone, name, action, card, accounts, isOld },
  isNewDay,
  model,
}) => {
  const title = isOld ? (
    <del>
      <Text text={name} />
    </del>
  ) : (
    <Text text={name} />
  );
  return (
    <li class={isNewDay ? 'new-day' : undefined}>
      <Time at={new Date(atMs).toISOString()} zone={zone} />
      <svg class="hours" height="16" aria-hidden="true">
        <line x1="0" x2="100%" y1="8" y2="8" />
        {[0, 25, 50, 75, 100].map((at) => (
          <line x1={`${at}%`} x2={`${at}%`} y1="5" y2="11" />
        ))}
        <circle cx={`${(readClock(zone, atMs).minutes / 14.4).toFixed(1)}%`} cy="8" r="4.5" />
      </svg>
      <p>
        <Mark action={action} />
        <b>{card === null ? title : <a href={`#${card}`}>{title}</a>}</b>{' '}
        <span class="mute">
          {isOld ? 'old time' : labelAction(model.title, action)}, {count(accounts.length, 'account')}
        </span>
      </p>
    </li>
  );
};

/** Cached, because making one takes longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The date and the minutes since midnight on a clock of the zone. */
function readClock(zone: string, ms: number): { readonly date: string; readonly minutes: number } {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  formats.set(zone, format);
  const [date = '', clock = ''] = format.format(ms).split(' ');
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return { date, minutes: hours * 60 + minutes };
}

function isNewDay(before: CalendarEvent | undefined, event: CalendarEvent): boolean {
  return (
    before !== undefined &&
    readClock(before.zone, before.atMs).date !== readClock(event.zone, event.atMs).date
  );
}

const DrawnClash: FC<{ readonly clash: Clash; readonly model: Model }> = ({
  clash: { kind, atMs, names, accounts },
  model,
}) => {
  const when = <Time at={new Date(atMs).toISOString()} zone={model.zone} />;
  const on = <Text text={accounts.length <= NAMES_MAX ? listed(accounts) : `${accounts.length} accounts`} />;
  return (
    <li>
      <Mark action="blocked" />
      {kind === 'crowded' ? (
        <p>
          <b>
            {names.length} at once on {on}
          </b>
          , {when}. The service runs 3 at a time, in random order.
        </p>
      ) : (
        <p>
          <b>
            <Text text={listed(names)} />
          </b>{' '}
          reach the same fans of {on} within an hour of {when}.
        </p>
      )}
    </li>
  );
};

/** A broadcast at one time, on all accounts that have it then. */
interface CalendarEvent {
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
function listEvents(model: Model): readonly CalendarEvent[] {
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
interface Clash {
  readonly kind: 'crowded' | 'same-fans';
  readonly atMs: number;
  readonly names: readonly string[];
  readonly accounts: readonly string[];
}

/** Up to three broadcasts run at the same time (BROADCAST-9). */
const AT_ONCE_MAX = 3;

const NEAR_MS = 3_600_000;

/** Clashes of the accounts, the worst first. Equal ones are one, with all of their accounts. */
function findClashes(model: Model): readonly Clash[] {
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
