import { formatCommand } from '../../domain/command-line.ts';
import { shown } from '../../domain/visible.ts';
import type { Context } from '../context.ts';
import { chooseFormat, LIST_FORMATS } from '../formats.ts';
import { chooseColumns, type ColumnSet } from '../lists/list-columns.ts';
import { printRows } from '../lists/sinks.ts';
import { eventView, readEvents, type EventFilters } from './filters.ts';

/** The flags of a list of events. */
export interface EventListFlags extends EventFilters {
  readonly limit?: number;
  readonly columns?: string;
}

const EVENT_COLUMNS: ColumnSet = {
  // The account is a column of its own, because an event may be about an unknown one.
  who: 'organisation',
  columns: [
    { path: 'ref', as: 'whole' },
    { path: 'received_at', header: 'received', as: 'instant' },
    { path: 'kind', as: 'whole', none: 'unknown' },
    { path: 'account', none: '-' },
    { path: 'fan_id', header: 'fan', as: 'whole', none: '-' },
    { path: 'source' },
  ],
  more: [
    { path: 'id', as: 'whole', none: '-' },
    { path: 'time', none: '-' },
    { path: 'account_id', as: 'whole', none: '-' },
    { path: 'platform_account_id', as: 'whole', none: '-' },
    { path: 'key', as: 'whole' },
    { path: 'body' },
  ],
};

/** `herald events list`: the stored events, newest first. */
export async function eventsListCommand(context: Context, flags: EventListFlags): Promise<number> {
  const format = chooseFormat(context, LIST_FORMATS);
  const columns = chooseColumns(EVENT_COLUMNS, flags.columns, format);
  const events = await readEvents(context, await eventView(context, flags));
  if (events.length === 0)
    context.output.say(shown`No stored events match. To receive some: ${formatCommand('events', 'listen')}`);
  const chosen = events.toReversed().slice(0, flags.limit);
  const items = chosen.map((event) => ({ ...event }));
  return printRows(format, { output: context.output, definition: EVENT_COLUMNS, columns }, items, true);
}
