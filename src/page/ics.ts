import { createHash } from 'node:crypto';
import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import type { Plan } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';
import { listSends } from './events.ts';
import type { Model } from './model.ts';

const MINUTE_MS = 60_000;

/**
 * The broadcasts that will go out, as an iCalendar file: one event for each account. The UID of an event is made from
 * the service and the address, so that a later file updates the event and adds no second one.
 */
export function renderCalendar(model: Pick<Model, 'plan' | 'contents' | 'plannedMs'>): string {
  const { plan } = model;
  const fromMs = model.plannedMs ?? 0;
  const calendar = ical({
    name: withLineFeeds(plan.workspace ?? 'Herald'),
    prodId: { company: 'herald', product: 'herald-campaigns', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
  });
  for (const { change, atMs } of listSends(model)) {
    const { account, name } = change.address;
    calendar.createEvent({
      id: makeUid(plan, formatAddress(change.address)),
      stamp: new Date(fromMs),
      // Grows with each plan, because some calendars ignore an update that does not.
      sequence: Math.floor(fromMs / MINUTE_MS),
      start: new Date(atMs),
      summary: withLineFeeds(`${name} (${account})`),
      description: withLineFeeds(readText(model, change.content)),
      status: ICalEventStatus.CONFIRMED,
    });
  }
  return calendar.toString();
}

function makeUid({ service }: Plan, address: string): string {
  const digest = createHash('sha256').update(`${service.origin}\n${address}`).digest('hex');
  return `${digest.slice(0, 32)}@herald`;
}

/** Some readers end a line at any of these characters. The library escapes line feeds. */
function withLineFeeds(text: string): string {
  return text.replace(/\r\n|[^\P{Cc}\t\n]|[\u2028\u2029]/gu, '\n');
}

const TEXT_UNITS_MAX = 500;

/** The first words of its first message, as the file has them. */
function readText({ contents }: Pick<Model, 'contents'>, content: number | undefined): string {
  const text = (content === undefined ? undefined : contents[content]?.messages[0]?.text) ?? '';
  return text.length <= TEXT_UNITS_MAX ? text : `${text.slice(0, TEXT_UNITS_MAX)}…`;
}
