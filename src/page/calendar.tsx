import type { FC } from 'hono/jsx';
import { groupBy } from '../domain/group-by.ts';
import { count } from '../render/wording.ts';
import { ActionKeys } from './action-keys.tsx';
import { eventsOf, findingsOf, type CalendarEvent, type CalendarFinding } from './events.ts';
import { renderCalendar } from './ics.ts';
import type { Model } from './model.ts';
import { listed, Mark, Text, Time } from './text.tsx';
import { ACTIONS, actionWord } from './words.ts';
import {
  calendarDay,
  calendarKeys,
  DAY_MS,
  LATE_QUARTER,
  localIn,
  quarterOf,
  type CalendarDay,
} from './zone.ts';

const FINDINGS_SHOWN = 5;
const NAMES_MAX = 3;

/** Broadcasts by day and hour, with what a person should know about their times. */
export const Calendar: FC<{ readonly model: Model }> = ({ model }) => {
  const events = eventsOf(model);
  const findings = findingsOf(model);
  return (
    <section id="calendar" aria-labelledby="h-cal">
      <div class="sec-h">
        <div>
          <h2 id="h-cal">Calendar</h2>
          <p>
            {introduction(events, model)}
            {events.length === 0 ? null : (
              <>
                {' '}
                Times in <Text text={model.zone} />.
              </>
            )}
          </p>
        </div>
        {events.length === 0 ? null : <Download model={model} />}
      </div>
      <Findings findings={findings} model={model} />
      {events.length === 0 ? null : (
        <>
          <Days events={events} findings={findings} model={model} />
          <Key events={events} model={model} />
        </>
      )}
    </section>
  );
};

function introduction(events: readonly CalendarEvent[], { plannedMs }: Model): string {
  if (plannedMs !== null && events.some(({ atMs }) => atMs < plannedMs + 14 * DAY_MS))
    return 'Broadcasts of the next 14 days and after, live and declared.';
  return `No broadcasts in the next 14 days.${events.length > 0 ? ' Later ones are below.' : ''}`;
}

const Days: FC<{
  readonly events: readonly CalendarEvent[];
  readonly findings: readonly CalendarFinding[];
  readonly model: Model;
}> = ({ events, findings, model }) => {
  const { zone, plannedMs, quiet } = model;
  const times = events.map(({ atMs }) => atMs);
  const keys = plannedMs === null ? [] : calendarKeys(zone, plannedMs, times);
  const year = plannedMs === null ? '' : localIn(zone, plannedMs).year;
  const dayOf = ({ atMs }: { readonly atMs: number }) => localIn(zone, atMs).key;
  const [eventsOn, findingsOn] = [groupBy(events, dayOf), groupBy(findings, dayOf)];
  return (
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
        {keys.map((key, index) => (
          <Day
            day={calendarDay(zone, key, quiet, year)}
            isFar={isFarFrom(keys[index - 1], key)}
            events={eventsOn.get(key) ?? []}
            findings={findingsOn.get(key) ?? []}
            model={model}
          />
        ))}
      </ol>
    </div>
  );
};

/** More broadcasts make the page too large; the command has no such limit. */
const DOWNLOAD_MAX = 300;

const Download: FC<{ readonly model: Model }> = ({ model }) => {
  const number = model.plan.changes.filter(({ address }) => address.kind === 'broadcast').length;
  if (model.title !== 'plan' || number > DOWNLOAD_MAX) return null;
  const content = Buffer.from(renderCalendar(model)).toString('base64');
  return (
    <p class="tools">
      <a class="btn" download="broadcasts.ics" href={`data:text/calendar;base64,${content}`}>
        Download .ics
      </a>
    </p>
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
  readonly findings: readonly CalendarFinding[];
  readonly model: Model;
}> = ({ day, isFar, events, findings, model }) => (
  <li
    class={`day${day.isMonday ? ' mon' : ''}${day.isWeekend ? ' we' : ''}${isFar ? ' far' : ''}${events.length === 0 ? ' none' : ''}`}
  >
    <h3>
      <span>{day.label}</span>
      {day.change === '' ? null : <small>Clocks {day.change}</small>}
      {[...new Set(findings.map(noteOf))].map((note) =>
        note === '' ? null : (
          <small>
            <Text text={note} />
          </small>
        ),
      )}
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
  const local = localIn(model.zone, atMs);
  const quarter = quarterOf(local);
  const isChange = card !== null && action !== 'unmanaged';
  const state = isOld ? 'old time' : actionWord(model.title, action);
  const body = (
    <>
      {card === null ? null : <Mark class={action} glyph={isOld ? '→' : ACTIONS[action].glyph} />}
      <time datetime={new Date(atMs).toISOString()}>{local.clock}</time>
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
    >
      {card === null ? body : <a href={`#${card}`}>{body}</a>}
    </li>
  );
};

/** Under the date: `4 at once on gia`. Empty for what only the list above says. */
function noteOf({ kind, accounts, count: number }: CalendarFinding): string {
  if (kind === 'quiet') return 'In quiet hours';
  if (kind === 'same-fans') return '';
  return `${number} at once on ${accounts.length === 1 ? (accounts[0] ?? '') : `${accounts.length} accounts`}`;
}

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
  const when = <Time at={new Date(atMs).toISOString()} zone={zone} />;
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

const Key: FC<{ readonly events: readonly CalendarEvent[]; readonly model: Model }> = ({ events, model }) => {
  const { quiet, title } = model;
  const marked = events.filter(({ card, isOld }) => card !== null && !isOld);
  return (
    <ul class="key" aria-label="Key">
      <ActionKeys actions={marked.map(({ action }) => action)} title={title} />
      {title === 'preview' ? null : <li>No mark: unchanged</li>}
      <li>The number counts accounts.</li>
      <li class="grid-only">The thick edge is the exact time.</li>
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
    </ul>
  );
};
