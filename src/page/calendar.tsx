import type { FC } from 'hono/jsx';
import { count } from '../render/wording.ts';
import { findClashes, listEvents, type CalendarEvent, type Clash } from './events.ts';
import type { Model } from './model.ts';
import { listed, Mark, Text, Time } from './text.tsx';
import { labelAction } from './words.ts';

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
