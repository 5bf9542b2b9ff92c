import { formatCommand } from '../../domain/command-line.ts';
import { ReaderGoneError } from '../../domain/ports.ts';
import { shown } from '../../domain/visible.ts';
import { detailsOf } from '../../events/facts.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { chooseFormat, LIST_FORMATS } from '../formats.ts';
import type { ColumnSet, ListItem } from '../lists/list-columns.ts';
import { SINKS } from '../lists/sinks.ts';
import { chooseSort, columnsFor } from '../lists/table-flags.ts';
import { eventView, readEvents, type EventFilters } from './filters.ts';

/** The flags of a list of events. */
export interface EventListFlags extends EventFilters {
  readonly limit?: number;
  readonly columns?: string;
  readonly sort?: string;
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
    { path: 'content_type', none: '-' },
    { path: 'user_id', as: 'whole', none: '-' },
    { path: 'svc_api_token_id', as: 'whole', none: '-' },
    { path: 'key', as: 'whole' },
    { path: 'body' },
  ],
};

const STATS_COLUMNS: ColumnSet = {
  who: 'organisation',
  columns: [
    { path: 'kind', as: 'whole', none: 'unknown' },
    { path: 'account', none: '-' },
    { path: 'source' },
    { path: 'count', as: 'number' },
    { path: 'first', as: 'instant' },
    { path: 'last', as: 'instant' },
  ],
  more: [{ path: 'account_id', as: 'whole', none: '-' }],
};

/** `herald events list`: the stored events, newest first. */
export async function eventsListCommand(context: Context, flags: EventListFlags): Promise<number> {
  return listed(context, flags, EVENT_COLUMNS, async () => {
    const { events, complete } = await readEvents(context, await eventView(context, flags));
    if (events.length === 0)
      context.output.say(
        shown`No stored events match. To receive some: ${formatCommand('events', 'listen')}`,
      );
    const chosen = events.toReversed().slice(0, flags.limit);
    return { items: chosen.map((event) => ({ ...event, ...detailsOf(event.body) })), complete };
  });
}

/** `herald events stats`: how many events of each kind, account and source are stored. */
export async function eventsStatsCommand(context: Context, flags: EventListFlags): Promise<number> {
  return listed(context, flags, STATS_COLUMNS, async () => {
    const { events, complete } = await readEvents(context, await eventView(context, flags));
    const rows = new Map<string, { count: number; last: string } & ListItem>();
    for (const { kind, account, account_id, source, received_at } of events) {
      const name = JSON.stringify([kind, account, account_id, source]);
      const known = rows.get(name);
      if (known === undefined)
        rows.set(name, {
          kind,
          account,
          account_id,
          source,
          count: 1,
          first: received_at,
          last: received_at,
        });
      else Object.assign(known, { count: known.count + 1, last: received_at });
    }
    return { items: [...rows.values()].toSorted((left, right) => right.count - left.count), complete };
  });
}

async function listed(
  context: Context,
  flags: EventListFlags,
  definition: ColumnSet,
  read: () => Promise<{ readonly items: readonly ListItem[]; readonly complete: boolean }>,
): Promise<number> {
  const format = chooseFormat(context, LIST_FORMATS);
  const sort = chooseSort(definition, format, flags.sort);
  const columns = columnsFor(definition, format, flags.columns);
  const { items, complete } = await read();
  const sink = SINKS[format]({ output: context.output, definition, columns, sort });
  try {
    await sink.take(items.slice(0, flags.limit));
    await sink.end(complete);
  } catch (error) {
    // The reader closed the pipe, as `| head` does.
    if (error instanceof ReaderGoneError) return EXIT.done;
    throw error;
  }
  return complete ? EXIT.done : EXIT.failed;
}
