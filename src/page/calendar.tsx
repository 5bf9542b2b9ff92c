import type { FC } from 'hono/jsx';
import type { ChangeKind } from '../domain/change.ts';
import { compareText } from '../domain/diagnostic.ts';
import { groupBy } from '../domain/group-by.ts';
import { accountsIn } from '../render/groups.ts';
import { formatTime } from '../render/values.ts';
import type { Model } from './model.ts';
import { AccountNames, Mark, Text, Time } from './text.tsx';

/** Broadcasts in the order of their times. */
export const Calendar: FC<{ readonly model: Model }> = ({ model }) => {
  const events = listEvents(model);
  return (
    <section id="calendar" aria-labelledby="h-cal">
      <h2 id="h-cal">Calendar</h2>
      {events.length === 0 ? (
        <p class="mute">No broadcasts from this day on.</p>
      ) : (
        <ol class="events">
          {events.map((event, index) => (
            <Event event={event} before={events[index - 1]} model={model} />
          ))}
        </ol>
      )}
    </section>
  );
};

/** The hours of a day as a line, with a pin at the hour of the zone that the file declares. */
const Event: FC<{
  readonly event: CalendarEvent;
  readonly before: CalendarEvent | undefined;
  readonly model: Model;
}> = ({ event, before = event, model }) => {
  const { atMs, zone, name, action, card, accounts } = event;
  const { day, minutes } = readClock(event);
  return (
    <li class={day === readClock(before).day ? undefined : 'new-day'}>
      <Time at={new Date(atMs).toISOString()} zone={zone} />
      <svg class="hours" height="16" aria-hidden="true">
        <line x1="0" x2="100%" y1="8" y2="8" />
        {[0, 25, 50, 75, 100].map((at) => (
          <line x1={`${at}%`} x2={`${at}%`} y1="5" y2="11" />
        ))}
        <circle cx={`${(minutes / 14.4).toFixed(1)}%`} cy="8" r="4.5" />
      </svg>
      <p>
        <Mark action={action} />
        <b>
          {card === null ? (
            <Text text={name} />
          ) : (
            <a href={`#${card}`}>
              <Text text={name} />
            </a>
          )}
        </b>{' '}
        <span class="mute">
          {model.nameChange(action)}, <AccountNames names={accounts} />
        </span>
      </p>
    </li>
  );
};

/** The day, and the minutes since midnight, on the clock of its zone. */
function readClock({ zone, atMs }: CalendarEvent): { readonly day: string; readonly minutes: number } {
  const time = formatTime(new Date(atMs).toISOString(), zone) ?? '';
  const [, day = '', hours, minutes] = /^(.*?) (\d\d):(\d\d)/.exec(time) ?? [];
  return { day, minutes: Number(hours) * 60 + Number(minutes) };
}

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
}

/** What went out earlier on the day of the plan is still on that day, in any zone. */
const DAY_BEFORE_MS = 24 * 3_600_000;

/** All broadcasts with a time from the day of the plan on, sorted. One that moves has its new time. */
function listEvents(model: Model): readonly CalendarEvent[] {
  const { plan, plannedMs, contents, cardIds } = model;
  const fromMs = (plannedMs ?? 0) - DAY_BEFORE_MS;
  const events = plan.changes.flatMap((change) => {
    const { address, action } = change;
    const content = contents[change.content ?? -1] ?? null;
    const atMs = Date.parse(content?.scheduled_at ?? change.scheduled_at ?? '');
    if (address.kind !== 'broadcast' || !(atMs >= fromMs)) return [];
    const card = cardIds.get(change) ?? null;
    return [{ change, event: { atMs, zone: model.zoneFor(content), name: address.name, action, card } }];
  });
  return [...groupBy(events, ({ event }) => JSON.stringify(event)).values()]
    .map((same) => ({ ...same[0].event, accounts: accountsIn(same.map(({ change }) => change)) }))
    .toSorted((left, right) => left.atMs - right.atMs || compareText(left.name, right.name));
}
