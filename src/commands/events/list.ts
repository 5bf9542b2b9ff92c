import { defineCommand } from '../../cli/define-command.ts';
import { EVENT_FILTERS, readEventFilters, readEvents } from '../../cli/events.ts';
import { limitFlag } from '../../cli/flags.ts';
import { LIST_FORMATS } from '../../cli/formats.ts';
import { type ColumnSet, chooseColumns, columnsFlag, printRows } from '../../cli/print-rows.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { shown } from '../../domain/visible.ts';
import { findInBody } from '../../events/event.ts';

const COLUMNS: ColumnSet = {
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

/** Members that some kinds have, read from the body when they are listed. */
const IN_BODY = ['content_type', 'user_id', 'svc_api_token_id'];

/** Lists the stored events. */
export const list = defineCommand({
  path: 'events list',
  about: 'list the stored events, newest first',
  examples: [
    'herald events list --from 1d',
    "herald events list --kind 'fans.*' --account alice --format csv",
  ],
  formats: LIST_FORMATS,
  flags: {
    ...EVENT_FILTERS,
    limit: limitFlag('stop after this many rows'),
    columns: columnsFlag(COLUMNS),
  },
  needs: 'nothing',
  run: async (context, given) => {
    const columns = chooseColumns(COLUMNS, given.columns, given.format);
    const events = await readEvents(context, await readEventFilters(context, given));
    if (events.length === 0)
      context.output.say(
        shown`No stored events match. To receive some: ${formatCommand('events', 'listen')}`,
      );
    const items = events
      .toReversed()
      .slice(0, given.limit)
      .map((event) => ({
        ...event,
        ...Object.fromEntries(IN_BODY.map((name) => [name, findInBody(event, [name])])),
      }));
    return printRows(given.format, { output: context.output, definition: COLUMNS, columns }, items);
  },
});
