import type { FC } from 'hono/jsx';
import { groupBy } from '../domain/group-by.ts';
import { Entry } from './calendar-entry.tsx';
import type { CalendarEvent } from './events.ts';
import type { Model } from './model.ts';
import { calendarWeeks, localIn, weekOf, type MonthDay } from './zone.ts';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** The broadcasts as a table of weeks, for who thinks in weeks and not in hours. */
export const Month: FC<{ readonly events: readonly CalendarEvent[]; readonly model: Model }> = ({
  events,
  model,
}) => {
  const { zone, plannedMs } = model;
  if (plannedMs === null) return null;
  const times = events.map(({ atMs }) => atMs);
  const mondays = calendarWeeks(zone, plannedMs, times);
  const byDay = groupBy(events, ({ atMs }) => localIn(zone, atMs).key);
  return (
    <div class="month">
      <table>
        <caption class="vh">Broadcasts by week and day</caption>
        <thead>
          <tr>
            {WEEKDAYS.map((day) => (
              <th scope="col">{day}</th>
            ))}
          </tr>
        </thead>
        <tbody id="weeks">
          {mondays.map((monday) => (
            <tr>
              {weekOf(zone, monday, plannedMs).map((day) => (
                <Cell day={day} events={byDay.get(day.key) ?? []} model={model} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const Cell: FC<{
  readonly day: MonthDay;
  readonly events: readonly CalendarEvent[];
  readonly model: Model;
}> = ({ day: { key, label, change, when }, events, model }) => (
  <td class={when} aria-current={when === 'today' ? 'date' : undefined}>
    <time datetime={key}>{label}</time>
    {change === '' ? null : (
      <small class="dst">
        <span>Clocks</span> {change}
      </small>
    )}
    <ul class="evs">
      {events.map((event) => (
        <Entry event={event} model={model} />
      ))}
    </ul>
  </td>
);
