import { CATALOGUE } from '../api/catalogue.ts';
import { isUnread } from '../api/errors.ts';
import { type ListDefinition, type ListName, LIST_COMMANDS } from '../api/lists.ts';
import { type Place, readPages } from '../api/pages.ts';
import { type FilterDefinition, type FilterName, FILTERS } from '../api/row.ts';
import { chooseAccounts } from '../cli/accounts.ts';
import type { Context } from '../cli/context.ts';
import { defineCommand } from '../cli/define-command.ts';
import { warningLine } from '../cli/findings.ts';
import {
  accountFlag,
  accountsFlag,
  type Flag,
  limitFlag,
  onlyIf,
  optionalChoiceFlag,
  parsedFlag,
  parseWholeNumber,
  suggestedFlag,
  switchFlag,
  textFlag,
  textsFlag,
  type ValuesOf,
  word,
} from '../cli/flags.ts';
import { ACCOUNT_FORMATS, LIST_FORMATS, type ListFormat } from '../cli/formats.ts';
import { DEFAULT_RANGE_DAYS, readRange } from '../cli/instant-range.ts';
import {
  type ListItem,
  type PageFacts,
  type RowPrint,
  chooseColumns,
  columnsFlag,
  streamRows,
} from '../cli/print-rows.ts';
import {
  type FilterValue,
  type Owner,
  buildQuery,
  openOwners,
  readOwner,
  sayRange,
} from '../cli/read-list.ts';
import type { ExitCode } from '../domain/exit-codes.ts';
import { groupBy } from '../domain/group-by.ts';
import { HeraldError, hasCode } from '../domain/herald-error.ts';
import type { ListColumn } from '../domain/list-column.ts';
import type { Kind } from '../domain/resource.ts';
import { type BroadcastStatus, broadcastStatusOf } from '../domain/status.ts';
import { shown, visibleProse } from '../domain/visible.ts';
import type { Service } from '../library/connect.ts';
import { loadFiles } from '../library/media.ts';
import { withReadingRun } from '../library/with-run.ts';
import { digestDeclared } from '../plan/compare/content.ts';
import { count } from '../render/wording.ts';
import type { ObjectRow } from '../state/shapes.ts';
import { SELECTORS } from '../workspace/workspace.ts';

/** Makes a list command from the row of its endpoint. */
export function defineList(name: ListName) {
  const definition = LIST_COMMANDS[name];
  const { argument, examples, summary } = definition;
  return defineCommand({
    path: name,
    about: summary,
    examples,
    formats: name === 'accounts list' ? ACCOUNT_FORMATS : LIST_FORMATS,
    words: { argument: onlyIf(argument !== undefined, word((argument ?? '').toUpperCase())) },
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
    account: onlyIf(argument !== undefined, accountFlag),
    accounts: onlyIf(hasAccounts, accountsFlag),
    from: onlyIf(
      ranged !== undefined,
      textFlag('--from <time>', `${ranged} since: a date, a time, or an age such as 30d${rangeDefault}`),
    ),
    to: onlyIf(
      ranged !== undefined,
      textFlag('--to <time>', `${ranged} until; a date includes that day, UTC`),
    ),
    ...makeFilterFlags(definition),
    state: onlyIf(
      definition.columns.some(isState),
      optionalChoiceFlag('--state <word>', 'only those in this state, archived ones as well', STATES),
    ),
    cursor: onlyIf(
      style === 'cursor',
      textFlag('--cursor <cursor>', 'go on where --limit ended an earlier list; JSON has it as next_cursor'),
    ),
    offset: onlyIf(
      ['offset', 'offset_total', 'has_more', 'marker'].includes(style),
      parsedFlag(
        '--offset <number>',
        'leave out this many rows at the start of each account',
        parseWholeNumber(0, Number.MAX_SAFE_INTEGER),
      ),
    ),
    marker: onlyIf(
      style === 'marker',
      textFlag('--marker <marker>', 'read the snapshot of an earlier list; JSON has its marker'),
    ),
    before: onlyIf(
      style === 'message_id',
      textFlag('--before <id>', 'begin behind this message, as the service orders them'),
    ),
    limit: limitFlag(`stop after this many rows${who === 'organisation' ? '' : ' of each account'}`),
    columns: columnsFlag(definition),
  };
}

function makeFilterFlags({ filters }: ListDefinition) {
  const flags = filters.map((name) => [name, makeFilterFlag(FILTERS[name])] as const);
  return Object.fromEntries(flags) as Readonly<Record<FilterName, Flag<FilterValue> | null>>;
}

function makeFilterFlag({ flag, about, takes, words = [] }: FilterDefinition): Flag<FilterValue> {
  if (takes === 'switch') return switchFlag(flag, about);
  return takes === 'texts' ? textsFlag(flag, about) : suggestedFlag(flag, about, words);
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
  const { clock, output } = context;
  const print = chooseColumns(definition, given);
  // Checks the flags before the first request. The range is read again by the service's clock.
  buildQuery(definition, given, clock.now());
  readOwnRange(definition, given, clock.now());
  const { owners, makeSources } = await openOwners(context, service, definition, given);
  const start = readStart(given);
  if (owners.length > 1 && start.handedBack !== undefined) {
    const problem = 'A cursor, a marker or a message belongs to the list of one account.';
    throw new HeraldError('bad-flag', problem, 'Add --account.');
  }
  const facts = new Map<string, PageFacts>();
  const onFacts = (account: string, heard: PageFacts) =>
    void facts.set(account, { ...(account === '' ? {} : { account }), ...facts.get(account), ...heard });
  const creator_ids = await resolveCreators(service, given.creator_ids);
  const nowMs = clock.now() + service.client.skewMs();
  // Archived ones have a state as well.
  const include_archived = given.include_archived === true || given.state !== undefined;
  const query = buildQuery(definition, { ...given, creator_ids, include_archived }, nowMs);
  sayRange(context, definition, given, query);
  const range = readOwnRange(definition, given, nowMs);
  const states = chooseStates(print, given);
  const name = given.format === 'yaml' ? nameDeclared(service) : (items: readonly ListItem[]) => items;
  const lookUp = lookUpValues({ context, service, owners }, [...print.columns, ...states.columns]);
  // Rows that are left out here do not count.
  const limit = range === null && states.columns.length === 0 ? given.limit : undefined;
  const sources = makeSources(async function* (owner) {
    const options = { query, limit, start, onFacts };
    for await (const items of readOwner(service.client, definition, owner, options)) {
      const inRange = range === null ? items : items.filter(range.isInside);
      yield name(await lookUp(inRange)).filter(states.isShown);
      // What follows is older still.
      if (range?.endsList === true && items.some(range.isBefore)) return;
    }
  });
  const reading = { what: definition.rows, sources, limit: given.limit, facts };
  const exit = await streamRows(context, print, reading);
  const folded = states.countFolded();
  if (folded > 0)
    output.say(
      shown`${count(folded, 'paused copy', 'paused copies')} of broadcasts that were moved or changed: left out. To see them: --state replaced`,
    );
  return exit;
}

/** The accounts that can be planned, with their aliases in `herald.yaml`. */
function nameDeclared({ settings }: Service): (items: readonly ListItem[]) => readonly ListItem[] {
  const { accounts, service } = settings;
  const aliases = new Map(accounts.map(({ alias, selector }) => [`${selector.by} ${selector.value}`, alias]));
  return (items) =>
    items
      .filter(({ platform }) => platform == null || platform === service.platforms.primary)
      .map((item) => ({
        ...item,
        alias: SELECTORS.map((by) => aliases.get(`${by} ${String(item[by])}`)).find(
          (one) => one !== undefined,
        ),
      }));
}

/** The rows of a range that the service does not take. Null where it does, and without `--from` and `--to`. */
function readOwnRange({ ownRange }: ListDefinition, given: Given, nowMs: number) {
  if (ownRange === undefined) return null;
  // A broadcast may be scheduled long after now.
  const { from, to } = readRange(given, nowMs, { lastMs: Number.POSITIVE_INFINITY });
  if (from === undefined && to === undefined) return null;
  const [fromMs, toMs] = [Date.parse(from ?? '0000-01-01'), Date.parse(to ?? '9999-12-31')];
  const readMs = (item: ListItem) => {
    const value = ownRange.members.map((member) => item[member]).find((one) => typeof one === 'string');
    return Date.parse(typeof value === 'string' ? value : '');
  };
  return {
    // A row without a time may be inside.
    isInside: (item: ListItem) => !(readMs(item) < fromMs || readMs(item) > toMs),
    isBefore: (item: ListItem) => readMs(item) < fromMs,
    // Another order than that of the service may begin with the oldest.
    endsList: ownRange.newestFirst === true && given.order === undefined,
  };
}

/** The rows in the state of `--state`. Without it, a table folds the paused copies of broadcasts that were replaced. */
function chooseStates({ format, definition }: RowPrint, { state, include_archived }: Given) {
  const columns = definition.columns.filter(isState);
  const isFolding = format === 'table' && state === undefined && include_archived !== true;
  let folded = 0;
  return {
    /** What must be looked up for it. */
    columns: isFolding || state !== undefined ? columns : [],
    isShown: ({ state: own }: ListItem) => {
      if (state !== undefined) return own === state;
      const isFolded = isFolding && own === 'replaced';
      if (isFolded) folded += 1;
      return !isFolded;
    },
    countFolded: () => folded,
  };
}

/** Creators may be aliases and groups of the workspace, and several in one value. */
async function resolveCreators(service: Service, creator: FilterValue): Promise<FilterValue> {
  if (creator === undefined || typeof creator === 'boolean') return creator;
  const given = [creator].flat().flatMap((value) => value.split(',').map((one) => one.trim()));
  const isId = (one: string) => /^\d*$/.test(one);
  const names = given.filter((one) => !isId(one));
  const accounts = names.length === 0 ? [] : await chooseAccounts(service, names, { anyPlatform: true });
  return [...given.filter(isId), ...accounts.map(({ accountId }) => accountId)];
}

function readStart({ offset, cursor, marker, before }: Given): Place {
  const given = Object.entries({ cursor, marker, message_id: before }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return {
    ...(offset === undefined ? {} : { offset }),
    ...(given.length === 0 ? {} : { handedBack: Object.fromEntries(given) }),
  };
}

interface Sources {
  readonly context: Context;
  readonly service: Service;
  /** The accounts of the list. */
  readonly owners: readonly Owner[];
}

/** Reads what it needs, once for all rows of a list, and returns how to find the value of a row. */
type LookUp = (sources: Sources) => Promise<(item: ListItem) => unknown>;

/** What the service does not say of a row, by the paths of the columns that show it. */
const LOOK_UPS: Readonly<Record<string, LookUp>> = {
  user_name: findMembers,
  current: findCurrent,
  state: findStates,
};

/** Fills in the columns that are looked up. Reads nothing for a list without rows. */
function lookUpValues(sources: Sources, columns: readonly ListColumn[]) {
  const paths = [...new Set(columns.filter(({ lookedUp }) => lookedUp === true).map(({ path }) => path))];
  const open = () => Promise.all(paths.map(async (path) => [path, await LOOK_UPS[path]?.(sources)] as const));
  let opened: ReturnType<typeof open> | null = null;
  return async (items: readonly ListItem[]): Promise<readonly ListItem[]> => {
    if (items.length === 0 || paths.length === 0) return items;
    const found = await (opened ??= open());
    return items.map((item) => ({
      ...item,
      ...Object.fromEntries(found.map(([path, find]) => [path, find?.(item) ?? null])),
    }));
  };
}

/** Members by their ids, from their list. Without it, figures are shown without names. */
async function findMembers({ context, service: { client } }: Sources): Promise<(item: ListItem) => unknown> {
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
 * newest on record. It costs no request: what was declared for each is in the state, and the files are here. A campaign that is not
 * on record has no word.
 */
async function findCurrent(sources: Sources): Promise<(item: ListItem) => unknown> {
  const objects = await readObjects(sources, 'campaign');
  const loaded = objects.length === 0 ? null : await loadFiles(sources.context, 'read');
  const declared = loaded?.kind === 'loaded' ? loaded.declared : [];
  const digests = new Map(
    declared.map((one) => [nameRow(one.address.account, one.address.name, one.kind), digestDeclared(one)]),
  );
  const current = new Map<string, string>();
  for (const [key, versions] of groupBy(objects, ({ account, name, kind }) => nameRow(account, name, kind))) {
    const newestFirst = versions.toSorted((left, right) => right.first_seq - left.first_seq);
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
async function findStates(sources: Sources): Promise<(item: ListItem) => (typeof STATES)[number]> {
  const objects = await readObjects(sources, 'broadcast');
  const known = new Map(objects.map((one) => [nameRow(one.account, one.live_id), one]));
  return ({ account, id, status, scheduled_at: hour }) => {
    const object = known.get(nameRow(account, id));
    if (object?.recalled === 1) return 'recalled';
    const word = STATE_WORDS[broadcastStatusOf({ status: typeof status === 'string' ? status : null })];
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
    const { objects } = await withReadingRun(service, ({ state }) => state.known([...aliases.keys()]));
    return objects
      .filter((row) => row.kind === kind)
      .map((row) => ({ ...row, account: aliases.get(row.account_id) ?? row.account_id }));
  } catch (error) {
    if (hasCode(error, 'state-')) return [];
    throw error;
  }
}
