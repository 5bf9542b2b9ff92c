import {
  calendarDay,
  calendarKeys,
  calendarWeeks,
  DAY_MS,
  LATE_QUARTER,
  localIn,
  quarterOf,
  weekOf,
  type MonthDay,
} from '../zone.ts';
import { readPlan, type PagePlan } from './plan.ts';

/** Shows the calendar in the zone that is chosen. A time elsewhere names its own zone, and keeps it. */
export function followZone(): void {
  const select = document.querySelector<HTMLSelectElement>('#zone');
  const first = document.getElementById('zone-name')?.textContent?.trim() ?? '';
  if (select === null || first === '') return;
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const near = [...new Set([first, own, 'UTC'])].filter(isZone);
  const add = (zone: string) => select.add(new Option(zone === own ? `${zone} (yours)` : zone, zone));
  near.forEach(add);
  const addAll = () => {
    const declared = (readPlan().contents ?? []).flatMap(({ timezone }) =>
      timezone === null ? [] : [timezone],
    );
    const all = new Set([...declared.filter(isZone), ...Intl.supportedValuesOf('timeZone')]);
    for (const zone of all) if (!near.includes(zone)) add(zone);
  };
  select.addEventListener('pointerdown', addAll, { once: true });
  select.addEventListener('focus', addAll, { once: true });
  select.addEventListener('change', () => show(select.value, readPlan()));
}

function isZone(zone: string): boolean {
  try {
    localIn(zone, 0);
    return true;
  } catch {
    return false;
  }
}

function show(zone: string, plan: PagePlan): void {
  for (const element of document.querySelectorAll<HTMLTimeElement>('.ev time'))
    element.textContent = localIn(zone, Date.parse(element.dateTime)).clock;
  const plannedMs = Date.parse(plan.planned_at ?? '');
  showDays(zone, plannedMs, plan);
  showWeeks(zone, plannedMs);
}

interface Placed {
  readonly element: HTMLElement;
  readonly atMs: number;
}

function entriesIn(list: HTMLElement, what = '.ev'): readonly Placed[] {
  return [...list.querySelectorAll<HTMLElement>(what)]
    .map((element) => ({ element, atMs: Date.parse(element.dataset['at'] ?? '') }))
    .toSorted((left, right) => left.atMs - right.atMs);
}

function showDays(zone: string, plannedMs: number, plan: PagePlan): void {
  const list = document.getElementById('days');
  if (list === null) return;
  const entries = entriesIn(list);
  const keys = calendarKeys(
    zone,
    plannedMs,
    entries.map(({ atMs }) => atMs),
  );
  const { year } = localIn(zone, plannedMs);
  const rows = new Map(keys.map((key, index) => [key, row(zone, key, keys[index - 1], plan, year)]));
  for (const { element, atMs } of entries) {
    const local = localIn(zone, atMs);
    const quarter = quarterOf(local);
    element.className = element.className.replace(/ ?\bq\d+\b| ?\blate\b/g, '');
    element.classList.add(`q${quarter}`);
    element.classList.toggle('late', quarter >= LATE_QUARTER);
    const day = rows.get(local.key);
    day?.classList.remove('none');
    day?.querySelector('.track')?.append(element);
  }
  for (const { element, atMs } of entriesIn(list, 'small[data-at]'))
    rows.get(localIn(zone, atMs).key)?.querySelector('h3')?.append(element);
  list.replaceChildren(...rows.values());
}

function showWeeks(zone: string, plannedMs: number): void {
  const list = document.getElementById('weeks');
  if (list === null) return;
  const entries = entriesIn(list);
  const mondays = calendarWeeks(
    zone,
    plannedMs,
    entries.map(({ atMs }) => atMs),
  );
  const cells = new Map(
    mondays.flatMap((monday) => weekOf(zone, monday, plannedMs)).map((day) => [day.key, cell(day)]),
  );
  for (const { element, atMs } of entries)
    cells.get(localIn(zone, atMs).key)?.querySelector('.evs')?.append(element);
  const all = [...cells.values()];
  list.replaceChildren(
    ...mondays.map((_, index) => {
      const line = made('tr', []);
      line.append(...all.slice(index * 7, index * 7 + 7));
      return line;
    }),
  );
}

/** An empty cell, as the page draws it. */
function cell({ key, label, change, when }: MonthDay): HTMLTableCellElement {
  const element = made('td', [when]);
  if (when === 'today') element.setAttribute('aria-current', 'date');
  const time = made('time', []);
  time.dateTime = key;
  time.textContent = label;
  element.append(time);
  if (change !== '') element.append(noteOf(change));
  element.append(made('ul', ['evs']));
  return element;
}

function noteOf(change: string): HTMLElement {
  const note = made('small', ['dst']);
  const word = made('span', []);
  word.textContent = 'Clocks';
  note.append(word, ` ${change}`);
  return note;
}

/** An empty row, as the page draws it. */
function row(
  zone: string,
  key: string,
  before: string | undefined,
  plan: PagePlan,
  year: string,
): HTMLLIElement {
  const { label, change, bands, isMonday, isWeekend } = calendarDay(
    zone,
    key,
    plan.policy?.quiet_hours,
    year,
  );
  const isFar = before !== undefined && Date.parse(key) - Date.parse(before) > DAY_MS;
  const line = made('li', [
    'day',
    'none',
    ...(isMonday ? ['mon'] : []),
    ...(isWeekend ? ['we'] : []),
    ...(isFar ? ['far'] : []),
  ]);
  line.dataset['day'] = key;
  const head = made('h3', []);
  const name = made('span', []);
  name.textContent = label;
  head.append(name);
  if (change !== '') head.append(noteOf(change));
  const track = made('ul', ['track']);
  for (const { from, to, kind } of bands) {
    const band = made('li', ['band', kind, `q${Math.floor(from)}`, `w${Math.ceil(to - from)}`]);
    band.ariaHidden = 'true';
    track.append(band);
  }
  line.append(head, track);
  return line;
}

function made<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  classes: readonly string[],
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.className = classes.join(' ');
  return element;
}
