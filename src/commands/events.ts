import { choosePlatformAccounts, openServiceToRead } from '../cli/accounts.ts';
import type { Context } from '../cli/context.ts';
import { defineCommand, itemResult, listResult } from '../cli/define-command.ts';
import {
  limitFlag,
  switchFlag,
  textFlag,
  textsFlag,
  type ValuesOf,
  word,
  words,
  yesFlag,
} from '../cli/flags.ts';
import { LIST_FORMATS } from '../cli/formats.ts';
import { readPast, readRange } from '../cli/instant-range.ts';
import { type ColumnSet, chooseColumns, columnsFlag, printRows } from '../cli/print-rows.ts';
import { requireYes, typedQuestion } from '../cli/question.ts';
import { formatCommand } from '../domain/command-line.ts';
import { compareText } from '../domain/diagnostic.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { globOf } from '../domain/glob.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { FanId } from '../domain/ids.ts';
import { joined, page, shown, type Visible, visibleLines } from '../domain/visible.ts';
import { nameEvent, type StoredEvent } from '../events/event.ts';
import { reconcileEvents } from '../events/reconcile.ts';
import { compactJson } from '../render/json.ts';
import { count } from '../render/wording.ts';
import { loadSettings } from '../workspace/load.ts';

/** The filters of each command that reads events. */
const FILTERS = {
  account: textsFlag('--account <account>', 'only events of this account: an alias or an id (repeatable)'),
  kind: textsFlag('--kind <pattern>', 'only events of this kind; * matches any characters (repeatable)'),
  fan: textFlag('--fan <id>', 'only events of this fan'),
  source: textFlag('--source <source>', 'webhook, or list for those that did not come'),
  from: textFlag('--from <time>', 'received since: a date, a time, or an age such as 30d'),
  to: textFlag('--to <time>', 'received until: a date, a time, or an age'),
};

/** An event as it is shown. */
interface ShownEvent extends StoredEvent {
  /** A short name of the event, for `events show`. */
  readonly ref: string;
  /** The alias of the workspace; null for other accounts. */
  readonly account: string | null;
}

/** Names an event for people. Null if the filters leave it out. */
type ShowEvent = (event: StoredEvent) => ShownEvent | null;

/** Reads the filters. All of them may be left out. */
async function readFilters(
  context: Context,
  { account = [], kind = [], fan, source, from, to }: Partial<ValuesOf<typeof FILTERS>> = {},
): Promise<ShowEvent> {
  const aliases = await readAliases(context);
  const range = readRange({ from, to }, context.clock.now());
  const kinds = kind.map(globOf);
  return (event) => {
    const { account_id: id, platform_account_id: platformId } = event;
    const alias = aliases.get(`id ${id}`) ?? aliases.get(`platform ${platformId}`) ?? null;
    const isShown =
      (source === undefined || event.source === source) &&
      (range.from === undefined || event.received_at >= range.from) &&
      (range.to === undefined || event.received_at <= range.to) &&
      (kinds.length === 0 || kinds.some((matches) => matches(event.kind ?? ''))) &&
      (fan === undefined || event.fan_id === fan) &&
      (account.length === 0 || [alias, id, platformId].some((name) => account.includes(name ?? '')));
    return isShown ? { ...event, ref: nameEvent(event), account: alias } : null;
  };
}

/** The aliases by the ids that the file states. Events can be read without a valid file. */
async function readAliases({ env, files }: Context): Promise<ReadonlyMap<string, string>> {
  const loaded = await loadSettings(files, { env, mayLackFile: true });
  const accounts = loaded.kind === 'invalid' ? [] : loaded.settings.accounts;
  return new Map(
    accounts.flatMap(({ alias, selector: { by, value }, platformAccountId }) => [
      ...(by === 'id' ? [[`id ${value}`, alias] as const] : []),
      ...(by === 'platform_account_id' ? [[`platform ${value}`, alias] as const] : []),
      ...(platformAccountId === undefined ? [] : [[`platform ${platformAccountId}`, alias] as const]),
    ]),
  );
}

/** The events that are shown, oldest first. */
async function readEvents({ events }: Context, show: ShowEvent): Promise<readonly ShownEvent[]> {
  const found: (ShownEvent | null)[] = [];
  await events.read((event) => void found.push(show(event)));
  return found
    .filter((event) => event !== null)
    .toSorted((left, right) => compareText(left.received_at, right.received_at));
}

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
    { path: 'key', as: 'whole' },
    { path: 'body' },
  ],
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
  flags: { ...FILTERS, limit: limitFlag('stop after this many rows'), columns: columnsFlag(COLUMNS) },
  needs: 'nothing',
  run: async (context, given) => {
    const columns = chooseColumns(COLUMNS, given.columns, given.format);
    const events = await readEvents(context, await readFilters(context, given));
    if (events.length === 0)
      context.output.say(
        shown`No stored events match. To receive some: ${formatCommand('events', 'listen')}`,
      );
    const items = events.toReversed().slice(0, given.limit);
    const rows = items.map((event) => ({ ...event }));
    return printRows(given.format, { output: context.output, definition: COLUMNS, columns }, rows);
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
    const events = await readEvents(context, await readFilters(context));
    const [event, ...others] = events.filter(({ ref, id }) => ref === name || id === name);
    if (event === undefined) {
      const hint = `To see them: ${formatCommand('events', 'list')}`;
      throw new HeraldError('not-found', `No stored event has the ref or id ${name}.`, hint);
    }
    if (others.length > 0) {
      const refs = [event, ...others].map(({ ref }) => ref);
      const problem = `${refs.length} events have the id ${name}.`;
      throw new HeraldError('ambiguous-name', problem, `Use a ref: ${refs.join(', ')}.`);
    }
    const { ref: _ref, account, ...stored } = event;
    const facts = {
      kind: stored.kind ?? 'unknown',
      received: stored.received_at,
      time: stored.time,
      account: account ?? stored.account_id ?? stored.platform_account_id,
      fan: stored.fan_id,
      id: stored.id,
      source: stored.source,
    };
    const lines = Object.entries(facts).map(([fact, value]) => shown`${fact}: ${value ?? '-'}`);
    return { json: () => stored, text: () => [...lines, shown``, ...visibleLines(stored.body)] };
  },
});

const LOOK_EVERY_MS = 500;

/** Prints events as they are stored. */
export const tail = defineCommand({
  path: 'events tail',
  about: 'print events as they are stored, until you interrupt it',
  examples: ['herald events tail', "herald events tail --kind 'firewall.*' --format ndjson"],
  formats: ['text', 'ndjson'],
  flags: { ...FILTERS, limit: limitFlag('stop after this many events') },
  needs: 'nothing',
  run: async (context, given) => {
    const { clock, events, output, interrupted, protect } = context;
    const show = await readFilters(context, given);
    const draw = given.format === 'ndjson' ? compactJson : drawLine;
    let left = given.limit ?? Number.POSITIVE_INFINITY;
    const follow = async () => {
      let after = await events.end();
      while (!interrupted.aborted && left > 0) {
        const news: (ShownEvent | null)[] = [];
        after = await events.read((event) => void news.push(show(event)), { after });
        const printed = news.filter((event) => event !== null).slice(0, left);
        left -= printed.length;
        for (const event of printed) await output.stream(page([draw(event)]));
        if (left > 0) await clock.sleep(LOOK_EVERY_MS, interrupted).catch(() => undefined);
      }
    };
    await protect(follow, { first: 'Stopped.', second: 'Stopped immediately.' });
    return EXIT.done;
  },
});

function drawLine({ received_at, kind, account, account_id, fan_id, ref }: ShownEvent) {
  const who = account ?? account_id ?? '-';
  return shown`${received_at}  ${kind ?? 'unknown'}  ${who}${fan_id === null ? '' : `  fan ${fan_id}`}  ${ref}`;
}

/** Stores the events that lists show and that did not come. */
export const reconcile = defineCommand({
  path: 'events reconcile',
  about: 'store the payments that lists show and that sent no event',
  examples: ['herald events reconcile', 'herald events reconcile --since 7d --format json'],
  flags: { since: textFlag('--since <time>', 'a date, a time, or an age such as 7d', '2d') },
  needs: 'nothing',
  run: async (context, { since }) => {
    const nowMs = context.clock.now();
    const from = readPast('--since', since, nowMs);
    await context.events.check();
    const added = await reconcileWorkspace(context, Date.parse(from));
    const item = { from, to: new Date(nowMs).toISOString(), added: added.length, by_kind: countKinds(added) };
    return itemResult(item, explainAdded(from, added));
  },
});

/** Compares the events with the lists of all accounts of the workspace, and stores what did not come. Sends only GETs. */
export async function reconcileWorkspace(context: Context, sinceMs: number): Promise<readonly StoredEvent[]> {
  const service = await openServiceToRead(context);
  const { primary, secondary } = service.settings.service.platforms;
  const accounts = await choosePlatformAccounts(service, [], [primary, secondary]);
  const nowMs = context.clock.now();
  return reconcileEvents(service.client, context.events, { accounts, primary, sinceMs, nowMs });
}

/** The number of events of each kind. */
function countKinds(events: readonly StoredEvent[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { kind } of events) counts[kind ?? ''] = (counts[kind ?? ''] ?? 0) + 1;
  return counts;
}

/** What was added since an instant, and what no list can show. */
export function explainAdded(since: string, added: readonly StoredEvent[]): Visible {
  const kinds = Object.entries(countKinds(added)).map(([kind, number]) => shown`  ${kind}: ${number}`);
  const compared = shown`Compared the lists since ${since}: ${count(added.length, 'event')} had not come, and ${added.length === 1 ? 'is' : 'are'} stored now.`;
  if (added.length === 0) return compared;
  const blocked = shown`Events about blocked messages may be missing too, because no list shows them.`;
  return joined([compared, ...kinds, blocked], '\n');
}

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

/** The limits of an organisation (EVENT-4). */
const URLS_MAX = 100;
const PER_ACCOUNT_MAX = 2;
const IDENTICAL_MAX = 2;

/** The kinds that the document names (EVENT-1). */
const KINDS = [
  'vault.media_upload.created',
  'vault.media_upload.updated',
  'fans.tip.received',
  'fans.subscription.new_subscriber',
  'fans.ppv.purchased',
  'firewall.message_guard.violation',
];

/**
 * Prints what to enter in the settings of the service, which has no endpoint for it. The addresses are all those of the
 * organisation, so that its limits can be checked.
 */
export const register = defineCommand({
  path: 'events register',
  about: 'print what to enter in the settings of the service, and check its limits',
  examples: ['herald events register https://events.example/events/SECRET'],
  more: 'Give all addresses of the organisation, so that its limits can be checked.',
  words: { urls: words('URL') },
  flags: {
    account: textsFlag('--account <account>', 'limit the entry to this account (repeatable)'),
    kind: textsFlag(
      '--kind <kind>',
      'limit the entry to this kind (repeatable; default: all documented kinds)',
    ),
  },
  needs: 'nothing',
  run: ({ output }, { urls, account, kind }) => {
    const problems = listProblems(urls, account);
    if (problems.length > 0) {
      const hint = 'Remove addresses, and run the command again.';
      throw new HeraldError('bad-flag', problems.join(' '), hint, { details: { problems } });
    }
    for (const one of kind)
      if (!KINDS.some((known) => one === known || one.startsWith(`${known}.`)))
        output.say(shown`The document of the service does not name the kind ${one}.`);
    const accounts = account.length === 0 ? null : account;
    const events = kind.length === 0 ? KINDS : kind;
    return listResult(
      urls.map((url) => ({ url, accounts, events })),
      urls.flatMap((url) => [
        shown`URL:      ${url}`,
        shown`Accounts: ${accounts === null ? 'all' : accounts.join(', ')}`,
        shown`Events:   ${events.join(', ')}`,
      ]),
    );
  },
});

/** An entry without accounts is not counted for any of them. */
function listProblems(urls: readonly string[], accounts: readonly string[]): readonly string[] {
  const isAddress = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  const countSame = (url: string) => urls.filter((other) => other === url).length;
  const repeated = [...new Set(urls)].filter((url) => countSame(url) > IDENTICAL_MAX);
  return [
    ...urls.filter((url) => !isAddress(url)).map((url) => `${url} is not an address.`),
    ...(urls.length > URLS_MAX
      ? [`An organisation can have ${URLS_MAX} addresses, and there are ${urls.length}.`]
      : []),
    ...repeated.map((url) => `${url} is there ${countSame(url)} times; ${IDENTICAL_MAX} may be the same.`),
    ...(accounts.length > 0 && urls.length > PER_ACCOUNT_MAX
      ? [`An account can have ${PER_ACCOUNT_MAX} addresses, and there are ${urls.length}.`]
      : []),
  ];
}
