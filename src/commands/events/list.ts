import { makeColumns } from '../../api/columns.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { EVENT_FILTERS, readEvents } from '../../cli/events.ts';
import { limitFlag } from '../../cli/flags.ts';
import { LIST_FORMATS } from '../../cli/formats.ts';
import { type ColumnSet, chooseColumns, columnsFlag, printRows } from '../../cli/print-rows.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { shown } from '../../domain/visible.ts';

const NONE = { none: '-' };
const COLUMNS: ColumnSet = {
  // The account is a column of its own, because an event may be about an unknown one.
  who: 'organisation',
  columns: makeColumns('ref received_at kind account fan_id source', {
    ref: { as: 'whole' },
    kind: { as: 'whole', none: 'unknown' },
    account: NONE,
    fan_id: NONE,
  }),
  more: makeColumns('id time account_id platform_account_id key body', {
    id: NONE,
    time: { as: 'text', ...NONE },
    account_id: NONE,
    platform_account_id: NONE,
    key: { as: 'whole' },
  }),
};

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
    const print = chooseColumns(COLUMNS, given);
    const events = await readEvents(context, given);
    if (events.length === 0)
      context.output.say(
        shown`No stored events match. To receive some: ${formatCommand('events', 'listen')}`,
      );
    const items = events.slice(0, given.limit);
    return printRows(
      context,
      print,
      items.map((event) => ({ ...event })),
    );
  },
});
