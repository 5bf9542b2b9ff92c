import { makeColumns } from '../../api/columns.ts';
import { findAlias } from '../../cli/accounts.ts';
import { defineCommand, LIST_FORMATS } from '../../cli/define-command.ts';
import { limitFlag, textFlag, textsFlag } from '../../cli/flags.ts';
import { readRange } from '../../library/instant-range.ts';
import { chooseColumns, columnsFlag, printRows } from '../../cli/print-rows.ts';
import type { Context } from '../../cli/context.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { compareText } from '../../domain/diagnostic.ts';
import { Glob } from '../../domain/glob.ts';
import { shown } from '../../domain/visible.ts';
import { findInBody, nameEvent, type StoredEvent } from '../../events/event.ts';
import { loadSettings } from '../../workspace/load.ts';

/** What many bodies say, and no column of the store has. */
const IN_BODY = ['content_type', 'user_id', 'svc_api_token_id'] as const;
const COLUMNS = {
  // The account is a column of its own, because an event may be about an unknown one.
  columns: makeColumns(
    'ref received_at kind account fan_id source',
    { ref: { as: 'whole' }, kind: { as: 'whole', none: 'unknown' } },
    '-',
  ),
  more: makeColumns(
    `id time account_id platform_account_id ${IN_BODY.join(' ')} key body`,
    { time: { as: 'text' }, key: { as: 'whole' } },
    '-',
  ),
};

export const list = defineCommand({
  path: 'events list',
  about: 'list the stored events, newest first',
  examples: [
    'herald events list --from 1d',
    "herald events list --kind 'fans.*' --account alice --format csv",
  ],
  formats: LIST_FORMATS,
  flags: {
    account: textsFlag('--account <account>', 'only events of this account: an alias or an id (repeatable)'),
    kind: textsFlag('--kind <pattern>', 'only events of this kind; * matches any characters (repeatable)'),
    fan: textFlag('--fan <id>', 'only events of this fan'),
    source: textFlag('--source <source>', 'webhook, or list for those that did not come'),
    from: textFlag('--from <time>', 'received since: a date, a time, or an age such as 30d'),
    to: textFlag('--to <time>', 'received until: a date, a time, or an age'),
    limit: limitFlag('stop after this many rows'),
    columns: columnsFlag(COLUMNS),
  },
  needs: 'nothing',
  run: async (context, given) => {
    const print = chooseColumns(COLUMNS, given);
    const { account: accounts, kind, fan, source } = given;
    const range = readRange(given, context.clock.now());
    const kinds = kind.map((pattern) => new Glob(pattern));
    const events = await readEvents(
      context,
      (event, alias) =>
        (source === undefined || event.source === source) &&
        (range.from === undefined || event.received_at >= range.from) &&
        (range.to === undefined || event.received_at <= range.to) &&
        (kinds.length === 0 || kinds.some((glob) => glob.matches(event.kind ?? ''))) &&
        (fan === undefined || event.fan_id === fan) &&
        (accounts.length === 0 ||
          [alias, event.account_id, event.platform_account_id].some((name) => accounts.includes(name ?? ''))),
    );
    if (events.length === 0)
      context.output.say(
        shown`No stored events match. To receive some: ${formatCommand('events', 'listen')}`,
      );
    const items = events.slice(0, given.limit).map((event) => ({
      ...event,
      ...Object.fromEntries(IN_BODY.map((name) => [name, findInBody(event, [name])])),
    }));
    return printRows(context, print, items);
  },
});

interface ShownEvent extends StoredEvent {
  /** A short name of the event, for `events show`. */
  readonly ref: string;
  /** The alias of the workspace; null for other accounts. */
  readonly account: string | null;
}

/** The stored events that are asked for, newest first. */
export async function readEvents(
  context: Context,
  isAsked: (event: StoredEvent, alias: string | null) => boolean,
): Promise<readonly ShownEvent[]> {
  // Events can be read without a valid file.
  const loaded = await loadSettings(context.files, { env: context.env, mayLackFile: true });
  const settings = loaded.kind === 'invalid' ? { accounts: [] } : loaded.settings;
  const found: ShownEvent[] = [];
  await context.events.read((event) => {
    const { account_id: id, platform_account_id } = event;
    const alias = findAlias(settings, { id }) ?? findAlias(settings, { platform_account_id }) ?? null;
    if (isAsked(event, alias)) found.push({ ...event, ref: nameEvent(event), account: alias });
  });
  return found.toSorted((left, right) => compareText(right.received_at, left.received_at));
}
