import { makeColumns } from '../../api/columns.ts';
import type { Context } from '../../cli/context.ts';
import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { limitFlag, switchFlag, textFlag, textsFlag, word, yesFlag } from '../../cli/flags.ts';
import { LIST_FORMATS } from '../../cli/formats.ts';
import { readRange } from '../../cli/instant-range.ts';
import { type ColumnSet, chooseColumns, columnsFlag, printRows } from '../../cli/print-rows.ts';
import { requireYes, typedQuestion } from '../../cli/question.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { compareText } from '../../domain/diagnostic.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { globOf } from '../../domain/glob.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import type { FanId } from '../../domain/ids.ts';
import { shown, visibleLines } from '../../domain/visible.ts';
import { nameEvent, type StoredEvent } from '../../events/event.ts';
import { count } from '../../render/wording.ts';
import { loadSettings } from '../../workspace/load.ts';

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
    const kinds = kind.map(globOf);
    const events = await readEvents(
      context,
      (event, alias) =>
        (source === undefined || event.source === source) &&
        (range.from === undefined || event.received_at >= range.from) &&
        (range.to === undefined || event.received_at <= range.to) &&
        (kinds.length === 0 || kinds.some((matches) => matches(event.kind ?? ''))) &&
        (fan === undefined || event.fan_id === fan) &&
        (accounts.length === 0 ||
          [alias, event.account_id, event.platform_account_id].some((name) => accounts.includes(name ?? ''))),
    );
    if (events.length === 0)
      context.output.say(
        shown`No stored events match. To receive some: ${formatCommand('events', 'listen')}`,
      );
    return printRows(context, print, events.slice(0, given.limit));
  },
});

/** Shows one event. */
export const show = defineCommand({
  path: 'events show',
  about: 'show one event with its body as it came',
  examples: ['herald events show 3f2a9c11d0'],
  more: 'EVENT is a ref of herald events list, or an id.',
  words: { name: word('EVENT') },
  needs: 'nothing',
  run: async (context, { name }) => {
    const found = await readEvents(context, (event) => nameEvent(event) === name || event.id === name);
    // An event that came twice with other bodies has one id: the newest is shown.
    const [event] = found;
    if (event === undefined)
      throw new HeraldError(
        'not-found',
        `No stored event has the ref or id ${name}.`,
        `To see them: ${formatCommand('events', 'list')}`,
      );
    const { ref: _ref, account, ...stored } = event;
    const { kind, received_at: received, time, account_id: id, platform_account_id: platformId } = stored;
    const facts = {
      kind,
      received,
      time,
      account: account ?? id ?? platformId,
      fan: stored.fan_id,
      id: stored.id,
    };
    return {
      json: () => stored,
      text: () => [
        ...Object.entries({ ...facts, source: stored.source }).map(
          ([fact, value]) => shown`${fact}: ${value ?? '-'}`,
        ),
        shown``,
        ...visibleLines(stored.body),
      ],
    };
  },
});

/** Erases the events of one fan, also while a receiver runs. */
export const forget = defineCommand({
  path: 'events forget',
  about: 'erase the events of one fan',
  examples: ['herald events forget 5550001 --yes'],
  words: { fan: word('FAN') },
  flags: {
    yes: yesFlag,
    unreadable: switchFlag('--unreadable', 'also erase events with a body that cannot be read'),
  },
  needs: 'nothing',
  run: async (context, { fan, yes, unreadable }) => {
    const found: number[] = [];
    const unread: string[] = [];
    await context.events.read((event, number) => {
      const isErased = isAboutFan(event, fan);
      if (isErased ?? unreadable) found.push(number);
      else if (isErased === null) unread.push(nameEvent(event));
    });
    if (found.length > 0 && !yes) {
      const text = shown`Erase ${count(found.length, 'event')} of fan ${fan}? They cannot be restored.`;
      await requireYes(context, typedQuestion(text, 'erase them'), 'Nothing was erased.');
    }
    const erased = found.length === 0 ? 0 : await context.events.erase(found);
    const [first] = unread;
    if (first !== undefined)
      context.output.fail(
        shown`${count(unread.length, 'event has a body', 'events have bodies')} that Herald cannot read, so they may name the fan: ${unread.join(', ')}. To look at one: ${formatCommand('events', 'show', first)}. To erase them as well: ${formatCommand('events', 'forget', fan, '--unreadable')}`,
      );
    return {
      exit: first === undefined ? EXIT.done : EXIT.partly,
      ...itemResult({ fan_id: fan, erased, unread }, shown`Erased ${count(erased, 'event')} of fan ${fan}.`),
    };
  },
});

/** Whether an event is about this fan, or has the id as a whole word in its body; null if the body is not text, so it may. */
function isAboutFan({ fan_id, encoding, body }: StoredEvent, fanId: FanId): boolean | null {
  if (fan_id === fanId) return true;
  if (encoding !== 'utf8') return null;
  // The character before the id may be encoded, in a form or in JSON: `%209001`, `\n9001`.
  const text = body.replace(/%[\da-f]{2}|\\[bfnrt]/gi, ' ');
  return text.split(/[^\p{L}\d-]+/u).includes(fanId);
}

/** An event as it is shown. */
interface ShownEvent extends StoredEvent {
  /** A short name of the event, for `events show`. */
  readonly ref: string;
  /** The alias of the workspace; null for other accounts. */
  readonly account: string | null;
}

/** The stored events that are asked for, newest first. */
async function readEvents(
  context: Context,
  isAsked: (event: StoredEvent, alias: string | null) => boolean,
): Promise<readonly ShownEvent[]> {
  const aliases = await readAliases(context);
  const found: ShownEvent[] = [];
  await context.events.read((event) => {
    const { account_id: id, platform_account_id: platformId } = event;
    const alias = aliases.get(`id ${id}`) ?? aliases.get(`platform_account_id ${platformId}`) ?? null;
    if (isAsked(event, alias)) found.push({ ...event, ref: nameEvent(event), account: alias });
  });
  return found.toSorted((left, right) => compareText(right.received_at, left.received_at));
}

/** The aliases by the ids that the file states. Events can be read without a valid file. */
async function readAliases({ env, files }: Context): Promise<ReadonlyMap<string, string>> {
  const loaded = await loadSettings(files, { env, mayLackFile: true });
  if (loaded.kind === 'invalid') return new Map();
  return new Map(
    loaded.settings.accounts.flatMap(({ alias, selector, platformAccountId }) => [
      [`${selector.by} ${selector.value}`, alias] as const,
      [`platform_account_id ${platformAccountId}`, alias] as const,
    ]),
  );
}
