import type { FC } from 'hono/jsx';
import { count } from '../render/wording.ts';
import { eventsOf, findingsOf, type CalendarEvent, type CalendarFinding } from './events.ts';
import { renderCalendar } from './ics.ts';
import type { Model } from './model.ts';
import { listed, Mark, Text, Time, When } from './text.tsx';
import { ACTIONS, actionWord } from './words.ts';
import { calendarDay, calendarKeys, DAY_MS, localIn, quarterOf, type CalendarDay } from './zone.ts';

/** From this quarter of the day on, an entry grows to the left. */
const LATE_QUARTER = 56;
const FINDINGS_SHOWN = 5;
const NAMES_MAX = 3;

/** Broadcasts by day and hour, with what a person should know about their times. */
export const Calendar: FC<{ readonly model: Model }> = ({ model }) => {
  const { zone, plannedMs, quiet } = model;
  const events = eventsOf(model);
  const keys =
    plannedMs === null
      ? []
      : calendarKeys(
          zone,
          plannedMs,
          events.map(({ atMs }) => atMs),
        );
  const year = plannedMs === null ? '' : localIn(zone, plannedMs).year;
  const days = keys.map((key) => calendarDay(zone, key, quiet, year));
  const byDay = new Map<string, CalendarEvent[]>(keys.map((key) => [key, []]));
  for (const event of events) byDay.get(localIn(zone, event.atMs).key)?.push(event);
  const findings = findingsOf(model);
  const isSoon = plannedMs !== null && events.some(({ atMs }) => atMs < plannedMs + 14 * DAY_MS);
  return (
    <section id="calendar" aria-labelledby="h-cal">
      <div class="sec-h">
        <div>
          <h2 id="h-cal">Calendar</h2>
          <p>
            {isSoon
              ? 'Broadcasts of the next 14 days and after, live and declared.'
              : 'No broadcasts in the next 14 days.'}
            {!isSoon && events.length > 0 ? ' Later ones are below.' : ''}
          </p>
        </div>
        {events.length === 0 ? null : <Tools model={model} />}
      </div>
      <Findings findings={findings} model={model} />
      {events.length === 0 ? null : (
        <>
          <div class="days">
            <div class="axis" aria-hidden="true">
              <span />
              <ol>
                {HOURS.map((hour) => (
                  <li>{hour}</li>
                ))}
              </ol>
            </div>
            <ol id="days">
              {days.map((day, index) => (
                <Day
                  day={day}
                  isFar={isFarFrom(keys[index - 1], day.key)}
                  events={byDay.get(day.key) ?? []}
                  model={model}
                />
              ))}
            </ol>
          </div>
          <Key model={model} />
        </>
      )}
    </section>
  );
};

/** More broadcasts make the page too large; the command has no such limit. */
const DOWNLOAD_MAX = 300;

const Tools: FC<{ readonly model: Model }> = ({ model }) => (
  <div class="tools">
    <p class="zone-now">
      Times in{' '}
      <span id="zone-name">
        <Text text={model.zone} />
      </span>
    </p>
    <label class="field js" hidden>
      Time zone <select id="zone" />
    </label>
    <Download model={model} />
  </div>
);

const Download: FC<{ readonly model: Model }> = ({ model }) => {
  const number = model.plan.changes.filter(({ address }) => address.kind === 'broadcast').length;
  if (model.title !== 'plan' || number > DOWNLOAD_MAX) return null;
  const content = Buffer.from(renderCalendar(model)).toString('base64');
  return (
    <a class="btn" download="broadcasts.ics" href={`data:text/calendar;base64,${content}`}>
      Download .ics
    </a>
  );
};

const HOURS = ['00', '03', '06', '09', '12', '15', '18', '21'];

/** True after days that are left out. */
function isFarFrom(before: string | undefined, key: string): boolean {
  return before !== undefined && Date.parse(key) - Date.parse(before) > DAY_MS;
}

const Day: FC<{
  readonly day: CalendarDay;
  readonly isFar: boolean;
  readonly events: readonly CalendarEvent[];
  readonly model: Model;
}> = ({ day, isFar, events, model }) => (
  <li
    class={`day${day.isMonday ? ' mon' : ''}${day.isWeekend ? ' we' : ''}${isFar ? ' far' : ''}${events.length === 0 ? ' none' : ''}`}
    data-day={day.key}
  >
    <h3>
      <span>{day.label}</span>
      {day.change === '' ? null : <small class="dst">{day.change}</small>}
    </h3>
    <ul class="track">
      {day.bands.map(({ from, to, kind }) => (
        <li class={`band ${kind} q${Math.floor(from)} w${Math.ceil(to - from)}`} aria-hidden="true" />
      ))}
      {events.map((event) => (
        <Entry event={event} model={model} />
      ))}
    </ul>
  </li>
);

const Entry: FC<{ readonly event: CalendarEvent; readonly model: Model }> = ({ event, model }) => {
  const { atMs, name, action, card, accounts, isOld } = event;
  const quarter = quarterOf(localIn(model.zone, atMs));
  const isChange = card !== null && action !== 'unmanaged';
  const state = isOld ? 'old time' : actionWord(model.title, action);
  const body = (
    <>
      {card === null ? null : <Mark class={action} glyph={isOld ? '→' : ACTIONS[action].glyph} />}
      <Time at={new Date(atMs).toISOString()} zone={model.zone} style="hm" />
      <b>
        <Text text={name} />
      </b>{' '}
      <span class="n">
        <span class="vh">
          {state}, {count(accounts.length, 'account')}
        </span>
        <span aria-hidden="true">{accounts.length}</span>
      </span>
    </>
  );
  return (
    <li
      class={`ev${isOld ? ' ghost' : isChange ? ' new' : ''} q${quarter}${quarter >= LATE_QUARTER ? ' late' : ''}`}
      data-at={new Date(atMs).toISOString()}
    >
      {card === null ? body : <a href={`#${card}`}>{body}</a>}
    </li>
  );
};

const Findings: FC<{ readonly findings: readonly CalendarFinding[]; readonly model: Model }> = ({
  findings,
  model,
}) =>
  findings.length === 0 ? null : (
    <div class="finds-box">
      <ul class="finds">{findings.slice(0, FINDINGS_SHOWN).map((finding) => drawFinding(finding, model))}</ul>
      {findings.length > FINDINGS_SHOWN ? (
        <details class="more">
          <summary>and {findings.length - FINDINGS_SHOWN} more</summary>
          <ul class="finds">
            {findings.slice(FINDINGS_SHOWN).map((finding) => drawFinding(finding, model))}
          </ul>
        </details>
      ) : null}
    </div>
  );

function drawFinding({ atMs, kind, names, accounts, count: number }: CalendarFinding, model: Model) {
  const { quiet } = model;
  const on = accounts.length <= NAMES_MAX ? listed(accounts) : `${accounts.length} accounts`;
  const who = names.length <= NAMES_MAX ? listed(names) : `${names.length} broadcasts`;
  const zone = kind === 'quiet' && quiet !== undefined ? quiet.timezone : model.zone;
  const when = <When at={new Date(atMs).toISOString()} zone={zone} model={model} />;
  return (
    <li>
      <Mark class="warn" glyph="!" />
      <p>
        {kind === 'crowded' ? (
          <>
            <b>
              {number} at once on <Text text={on} />
            </b>
            , {when}. The service runs 3 at a time, in random order.
          </>
        ) : kind === 'same-fans' ? (
          <>
            <b>
              <Text text={who} />
            </b>{' '}
            reach the same fans of <Text text={on} /> within an hour of {when}.
          </>
        ) : (
          <>
            <b>
              <Text text={who} />
            </b>{' '}
            on <Text text={on} /> goes out in the quiet hours, {when}.
          </>
        )}
      </p>
    </li>
  );
}

const Key: FC<{ readonly model: Model }> = ({ model: { quiet, title } }) => (
  <ul class="key" aria-label="Key">
    {quiet === undefined ? null : (
      <li class="grid-only">
        <span class="band quiet sw" aria-hidden="true" />
        <Text text={`Quiet hours ${quiet.from}–${quiet.to} ${quiet.timezone}`} />
      </li>
    )}
    <li class="grid-only">
      <span class="band gap sw" aria-hidden="true" />
      Hour that a clock change skips or repeats
    </li>
    {title === 'preview' ? null : <li>No mark: unchanged</li>}
    <li class="grid-only">The thick edge is the exact time.</li>
    <li>The number counts accounts.</li>
  </ul>
);
