import { CATALOGUE } from '../api/catalogue.ts';
import { isUnread } from '../api/errors.ts';
import { type ListDefinition, type ListName, LIST_COMMANDS } from '../api/lists.ts';
import { readPages } from '../api/pages.ts';
import { type FilterDefinition, type FilterName, FILTERS, type Paging } from '../api/row.ts';
import { findAlias } from '../cli/accounts.ts';
import type { Context } from '../cli/context.ts';
import { ACCOUNT_FORMATS, defineCommand, LIST_FORMATS, type ListFormat } from '../cli/define-command.ts';
import { warningLine } from '../cli/findings.ts';
import {
  accountFlag,
  accountsFlag,
  choiceFlag,
  type Flag,
  limitFlag,
  suggest,
  switchFlag,
  textFlag,
  textsFlag,
  type ValuesOf,
  wholeNumberFlag,
  word,
} from '../cli/flags.ts';
import { DEFAULT_RANGE_DAYS } from '../library/instant-range.ts';
import { chooseColumns, columnsFlag, streamRows } from '../cli/print-rows.ts';
import type { ListItem } from '../render/rows.ts';
import { type FilterValue, type Owner, openList } from '../cli/read-list.ts';
import type { ExitCode } from '../domain/exit-codes.ts';
import { groupBy } from '../domain/group-by.ts';
import { HeraldError, hasCode } from '../domain/herald-error.ts';
import { compareIds } from '../domain/ids.ts';
import type { ListColumn } from '../domain/list-column.ts';
import type { Kind } from '../domain/resource.ts';
import { type BroadcastStatus, BROADCAST_STATUSES, readKindStatus } from '../domain/status.ts';
import { shown, visibleProse } from '../domain/visible.ts';
import type { Service } from '../library/connect.ts';
import { loadFiles } from '../library/media.ts';
import { digestDeclared } from '../plan/compare/content.ts';
import { count } from '../render/wording.ts';
import type { ObjectRow } from '../state/shapes.ts';

/** Makes a list command from the row of its endpoint. */
export function defineList(name: ListName) {
  const definition = LIST_COMMANDS[name];
  const { argument, examples, summary } = definition;
  return defineCommand({
    path: name,
    about: summary,
    examples,
    formats: name === 'accounts list' ? ACCOUNT_FORMATS : LIST_FORMATS,
    words: { argument: argument === undefined ? null : word(argument.toUpperCase()) },
    flags: makeFlags(definition),
    needs: 'reads',
    run: (context, given, service) => printList(context, definition, given, service),
  });
}

function makeFlags(definition: ListDefinition) {
  const { argument, operation, range, ownRange, who } = definition;
  const { style } = CATALOGUE[operation].paging;
  const hasAccounts = who !== 'organisation' && argument === undefined;
  const rangeDefault = range?.required === true ? ` (default: ${DEFAULT_RANGE_DAYS}d)` : '';
  const ranged = range?.of ?? ownRange?.of;
  return {
    account: argument === undefined ? null : accountFlag,
    accounts: hasAccounts ? accountsFlag : null,
    from:
      ranged === undefined
        ? null
        : textFlag('--from <time>', `${ranged} since: a date, a time, or an age such as 30d${rangeDefault}`),
    to:
      ranged === undefined ? null : textFlag('--to <time>', `${ranged} until; a date includes that day, UTC`),
    ...makeFilterFlags(definition),
    state: definition.columns.some(isState)
      ? choiceFlag('--state <word>', 'only those in this state, archived ones as well', STATES)
      : null,
    offset: ['offset', 'offset_total', 'has_more', 'marker'].includes(style)
      ? wholeNumberFlag('--offset <number>', 'leave out this many rows at the start of each account', [
          0,
          Number.MAX_SAFE_INTEGER,
        ])
      : null,
    place: PLACES[style] ?? null,
    limit: limitFlag(`stop after this many rows${who === 'organisation' ? '' : ' of each account'}`),
    columns: columnsFlag(definition),
  };
}

/** Where a list begins, for the styles of paging that take it back in the parameter of their name. */
const PLACES: Readonly<Partial<Record<Paging['style'], Flag<string | undefined>>>> = {
  cursor: textFlag(
    '--cursor <cursor>',
    'go on where --limit ended an earlier list; JSON has it as next_cursor',
  ),
  marker: textFlag('--marker <marker>', 'read the snapshot of an earlier list; JSON has its marker'),
  message_id: textFlag('--before <id>', 'begin behind this message, as the service orders them'),
};

function makeFilterFlags({ filters }: ListDefinition) {
  const flags = filters.map((name) => [name, makeFilterFlag(FILTERS[name])] as const);
  return Object.fromEntries(flags) as Readonly<Record<FilterName, Flag<FilterValue> | null>>;
}

function makeFilterFlag({ flag, about, takes, words = [] }: FilterDefinition): Flag<FilterValue> {
  if (takes === 'switch') return switchFlag(flag, about);
  return takes === 'texts' ? textsFlag(flag, about) : suggest(words, textFlag(flag, about));
}

type Given = ValuesOf<ReturnType<typeof makeFlags>> & {
  readonly argument: string | undefined;
  readonly format: ListFormat;
};

/** Reads a list of all chosen accounts and prints it page by page. */
async function printList(
  context: Context,
  definition: ListDefinition,
  given: Given,
  service: Service,
): Promise<ExitCode> {
  const { output } = context;
  const print = chooseColumns(definition, given);
  const { place, offset, state } = given;
  // Archived ones have a state as well.
  const include_archived = given.include_archived === true || state !== undefined;
  const list = await openList(context, service, definition, { ...given, include_archived });
  const { owners } = list;
  if (owners.length > 1 && place !== undefined) {
    const problem = 'A cursor, a marker or a message belongs to the list of one account.';
    throw new HeraldError('bad-flag', problem, 'Add --account.');
  }
  const { style } = CATALOGUE[definition.operation].paging;
  const start = {
    ...(offset === undefined ? {} : { offset }),
    ...(place === undefined ? {} : { handedBack: { [style]: place } }),
  };
  // A table leaves out the paused copies of broadcasts that were replaced.
  const stateColumns = definition.columns.filter(isState);
  const isFolding = stateColumns.length > 0 && print.format === 'table' && !include_archived;
  const states = isFolding || state !== undefined ? stateColumns : [];
  const isYaml = print.format === 'yaml';
  const { primary } = service.workspace.service.platforms;
  const isShown = (item: ListItem) => {
    // Only accounts of this platform can be planned.
    if (isYaml) return item['platform'] == null || item['platform'] === primary;
    return state === undefined ? !isFolding || item['state'] !== 'replaced' : item['state'] === state;
  };
  let folded = 0;
  const columns = [...print.columns, ...states].filter(({ lookedUp }) => lookedUp === true);
  const paths = new Set([...columns.map(({ path }) => path), ...(isYaml ? ['alias'] : [])]);
  const lookUp = makeLookUp({ context, service, owners }, [...paths]);
  // Rows that are left out here do not count.
  const limit = states.length === 0 ? given.limit : undefined;
  const sources = list.makeSources(async function* (owner, facts) {
    for await (const items of list.read(owner, { limit, start, facts })) {
      const found = await lookUp(items);
      const rows = found.filter(isShown);
      if (isFolding) folded += found.length - rows.length;
      yield rows;
    }
  });
  const exit = await streamRows(context, print, { what: definition.rows, sources, limit: given.limit });
  if (folded > 0)
    output.say(
      shown`${count(folded, 'paused copy', 'paused copies')} of broadcasts that were moved or changed: left out. To see them: --state replaced`,
    );
  return exit;
}

interface Sources {
  readonly context: Context;
  readonly service: Service;
  readonly owners: readonly Owner[];
}

type Find = (item: ListItem) => unknown;

/** What the service does not say of a row, by the paths of the columns that show it. Each reads what it needs once for all rows. */
const FINDERS: Readonly<Record<string, (sources: Sources) => Find | Promise<Find>>> = {
  alias:
    ({ service }) =>
    (item) =>
      findAlias(service.workspace, item),
  user_name: findMembers,
  current: findCurrent,
  state: findStates,
};

/** Fills in the values at these paths. What they need is read with the first rows. */
function makeLookUp(sources: Sources, paths: readonly string[]) {
  const open = () => Promise.all(paths.map(async (path) => [path, await FINDERS[path]?.(sources)] as const));
  let opened: ReturnType<typeof open> | null = null;
  return async (items: readonly ListItem[]): Promise<readonly ListItem[]> => {
    const finders = await (opened ??= open());
    return items.map((item) => ({
      ...item,
      ...Object.fromEntries(finders.map(([path, find]) => [path, find?.(item) ?? null])),
    }));
  };
}

/** Members by their ids, from their list. Without it, figures are shown without names. */
async function findMembers({ context, service: { client } }: Sources): Promise<Find> {
  const names = new Map<string, string>();
  try {
    for await (const page of readPages(client, 'team.members', { params: {} }))
      for (const { id, name, customName } of page) {
        const known = [customName, name].find((one) => typeof one === 'string' && one !== '');
        if (typeof known === 'string') names.set(String(id), known);
      }
  } catch (error) {
    if (!isUnread(error)) throw error;
    const problem = visibleProse(`The names of members could not be read: ${error.message}`);
    context.output.say(warningLine('service-warning', problem));
  }
  return (item) => names.get(String(item['user_id']));
}

/**
 * Which campaign of a name is the one to go on with: `file` if its content on record is that of the file, else `newest` for the
 * one on record with the highest id, which the service made last. It costs no request: what was declared for each is in the state,
 * and the files are here. A campaign that is not on record has no word.
 */
async function findCurrent(sources: Sources): Promise<Find> {
  const objects = await readObjects(sources, 'campaign');
  const loaded = objects.length === 0 ? null : await loadFiles(sources.context, 'read');
  const declared = loaded?.kind === 'loaded' ? loaded.declared : [];
  const digests = new Map(
    declared.map((one) => [nameRow(one.address.account, one.address.name, one.kind), digestDeclared(one)]),
  );
  const current = new Map<string, string>();
  for (const [key, versions] of groupBy(objects, ({ account, name, kind }) => nameRow(account, name, kind))) {
    const newestFirst = versions.toSorted((left, right) => compareIds(right.live_id, left.live_id));
    const digest = digests.get(key);
    const same = newestFirst.find(({ declared_digest: own }) => own !== null && own === digest);
    const chosen = same ?? newestFirst[0];
    if (chosen !== undefined)
      current.set(nameRow(chosen.account, chosen.live_id), same === undefined ? 'newest' : 'file');
  }
  return ({ account, id }) => current.get(nameRow(account, id));
}

/** The words of `--state`. One that is `replaced` is the paused copy of a broadcast that was moved or changed. */
const STATES = ['waiting', 'sending', 'paused', 'replaced', 'finished', 'recalled', 'archived'] as const;

function isState({ path, lookedUp }: ListColumn): boolean {
  return path === 'state' && lookedUp === true;
}

/** A status without a name, and one without a value, count as sent (BROADCAST-12). */
const STATE_WORDS: Readonly<Record<BroadcastStatus, (typeof STATES)[number]>> = {
  scheduled: 'waiting',
  queued: 'sending',
  sending: 'sending',
  paused: 'paused',
  archived: 'archived',
  none: 'finished',
  unnamed: 'finished',
};

/**
 * An archived broadcast that still has its hour never left (BROADCAST-11). Only the state knows that one was recalled, and that an
 * apply paused one because it made another in its place.
 */
async function findStates(sources: Sources): Promise<Find> {
  const objects = await readObjects(sources, 'broadcast');
  const known = new Map(objects.map((one) => [nameRow(one.account, one.live_id), one]));
  return ({ account, id, status, scheduled_at: hour }) => {
    const object = known.get(nameRow(account, id));
    if (object?.recalled === 1) return 'recalled';
    const live = { status: typeof status === 'string' ? status : null };
    const word = STATE_WORDS[readKindStatus(live, BROADCAST_STATUSES)];
    if (word === 'paused' && object !== undefined && object.replaced_by !== null) return 'replaced';
    return word === 'archived' && hour == null ? 'finished' : word;
  };
}

function nameRow(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

/** The objects on record, with the names of their accounts in this list. A state that cannot be read names none. */
async function readObjects(
  { service, owners }: Sources,
  kind: Kind,
): Promise<readonly (ObjectRow & { readonly account: string })[]> {
  const aliases = new Map(owners.map(({ accountId, alias }) => [accountId ?? '', alias]));
  try {
    const { objects } = await service.withReadingRun(({ state }) => state.known([...aliases.keys()]));
    return objects
      .filter((row) => row.kind === kind)
      .map((row) => ({ ...row, account: aliases.get(row.account_id) ?? row.account_id }));
  } catch (error) {
    if (hasCode(error, 'state-')) return [];
    throw error;
  }
}
