import { CATALOGUE } from '../api/catalogue.ts';
import { isUnread } from '../api/errors.ts';
import { type ListDefinition, type ListName, findList } from '../api/lists.ts';
import { type Place, readPages } from '../api/pages.ts';
import { type FilterDefinition, type FilterName, FILTERS } from '../api/row.ts';
import { chooseAccounts } from '../cli/accounts.ts';
import type { Service } from '../library/connect.ts';
import type { Context } from '../cli/context.ts';
import { defineCommand } from '../cli/define-command.ts';
import {
  type Flag,
  type ValuesOf,
  accountFlag,
  accountsFlag,
  limitFlag,
  onlyIf,
  optionalChoiceFlag,
  parsedFlag,
  parseDigits,
  parseWholeNumber,
  suggestedFlag,
  switchFlag,
  textFlag,
  textsFlag,
  word,
} from '../cli/flags.ts';
import { chooseFormat, LIST_FORMATS } from '../cli/formats.ts';
import { DEFAULT_RANGE_DAYS, givenRange } from '../cli/instant-range.ts';
import { warningLine } from '../cli/findings.ts';
import { type ListItem, type PageFacts, chooseColumns, columnsFlag, streamRows } from '../cli/print-rows.ts';
import {
  type FilterValue,
  type Owner,
  type ReadOptions,
  buildQueries,
  openOwners,
  readOwner,
} from '../cli/read-list.ts';
import type { ExitCode } from '../domain/exit-codes.ts';
import { groupBy } from '../domain/group-by.ts';
import { hasCode, HeraldError } from '../domain/herald-error.ts';
import type { ListColumn } from '../domain/list-column.ts';
import type { Kind } from '../domain/resource.ts';
import { type BroadcastStatus, broadcastStatusOf } from '../domain/status.ts';
import { shown, visibleProse } from '../domain/visible.ts';
import { declaredIn } from '../library/local-media.ts';
import { nameService, withState } from '../library/state-access.ts';
import { digestDeclared } from '../plan/compare/content.ts';
import { count } from '../render/wording.ts';
import type { ObjectRow } from '../state/shapes.ts';

/** Makes a list command from the row of its endpoint. */
export function defineList(name: ListName) {
  const definition = findList(name);
  const { argument, examples, one, summary } = definition;
  return defineCommand({
    path: name,
    about: summary,
    examples,
    // One item alone is printed as text.
    formats: one === undefined ? LIST_FORMATS : [...LIST_FORMATS, 'text'],
    words: { argument: onlyIf(argument !== undefined, word(argument?.name ?? '')) },
    flags: makeFlags(definition),
    needs: 'reads',
    run: async (context, given, service) => {
      if (given.id === undefined) return printList(context, definition, given, service);
      const { printUpload } = await import('../cli/vault.ts');
      return printUpload(context, definition, { ...given, id: given.id }, service);
    },
  });
}

function makeFlags(definition: ListDefinition) {
  const { argument, one, operation, range, who } = definition;
  const hasAccounts = who !== 'organisation' && argument === undefined;
  const rangeOf = range?.of ?? '';
  const { style } = CATALOGUE[operation].paging;
  return {
    id: onlyIf(
      one !== undefined,
      textFlag('--id <id>', `show one ${one} by its id, in any state; text (default) or json`),
    ),
    account: onlyIf(argument !== undefined, accountFlag),
    accounts: onlyIf(hasAccounts, accountsFlag),
    from: onlyIf(
      range !== undefined,
      textFlag(
        '--from <time>',
        `${rangeOf} since: a date, a time, or an age such as 30d${range !== undefined && 'from' in range && range.required ? ` (default: ${DEFAULT_RANGE_DAYS}d)` : ''}`,
      ),
    ),
    to: onlyIf(
      range !== undefined,
      textFlag('--to <time>', `${rangeOf} until; a date includes that day, UTC`),
    ),
    ...makeFilterFlags(definition),
    state: onlyIf(
      definition.columns.some(({ path }) => path === 'state'),
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
      parsedFlag(
        '--marker <marker>',
        'read the snapshot of an earlier list; JSON has its marker',
        parseDigits,
      ),
    ),
    before: onlyIf(
      style === 'message_id',
      parsedFlag('--before <id>', 'begin behind this message, as the service orders them', parseDigits),
    ),
    limit: limitFlag(`stop after this many rows${who === 'organisation' ? '' : ' of each account'}`),
    columns: columnsFlag(definition),
  };
}

function makeFilterFlags({ filters }: ListDefinition): Readonly<Record<FilterName, Flag<FilterValue>>> {
  const flags = Object.entries<FilterDefinition>(FILTERS).map(([name, filter]) => [
    name,
    onlyIf(filters.includes(name as FilterName), makeFilterFlag(filter)),
  ]);
  return Object.fromEntries(flags) as Readonly<Record<FilterName, Flag<FilterValue>>>;
}

function makeFilterFlag({ flag, description, takes, words = [] }: FilterDefinition): Flag<FilterValue> {
  switch (takes) {
    case 'switch':
      return switchFlag(flag, description);
    case 'text':
      return suggestedFlag(flag, description, words);
    case 'texts':
      return textsFlag(flag, description);
  }
}

type Given = ValuesOf<ReturnType<typeof makeFlags>> & { readonly argument: string | undefined };

/** Reads a list of all chosen accounts and prints it page by page. */
async function printList(
  context: Context,
  definition: ListDefinition,
  given: Given,
  service: Service,
): Promise<ExitCode> {
  const { clock, output } = context;
  const format = chooseFormat(context, LIST_FORMATS);
  const columns = chooseColumns(definition, given.columns, format);
  // Checks the flags before the first request. The range is read again by the service's clock.
  buildQueries(definition, given, clock.now());
  const warn = (sentence: string) => output.say(warningLine('service-warning', visibleProse(sentence)));
  // The service may know more orders than the document names.
  if (typeof given.order === 'string' && given.order !== 'asc')
    warn(`"${given.order}" is sent as the order. The service's document names only asc.`);
  const opened = await openOwners(context, service, definition, given, warn);
  const start = readStart(given);
  if (opened.owners.length > 1 && start.handedBack !== undefined)
    throw new HeraldError(
      'bad-flag',
      'A cursor, a marker or a message belongs to the list of one account.',
      'Add --account.',
    );
  const accounts = opened.owners.map(({ account, accountId }) => ({ alias: account ?? '', accountId }));
  const { finish, countFolded } = finishRows({ context, service, accounts, warn }, columns, {
    state: given.state,
    isFolding: format === 'table' && given.archived !== true,
  });
  const facts = new Map<string, PageFacts>();
  const onFacts = (account: string | null, heard: PageFacts) => {
    const owner = account === null ? {} : { account };
    facts.set(account ?? '', { ...owner, ...facts.get(account ?? ''), ...heard });
  };
  const read = await makeReader(context, service, definition, given);
  const sources = opened.owners.map((owner) => ({
    account: owner.account ?? '',
    pages: () => read(owner, { start, onFacts }, finish),
  }));
  const lists = [...sources, ...opened.unseen];
  const reading = { what: definition.rows, sources: lists, limit: given.limit, facts };
  const exit = await streamRows(context, format, { definition, columns }, reading);
  if (countFolded() > 0)
    output.say(
      shown`${count(countFolded(), 'paused copy', 'paused copies')} of broadcasts that were moved or changed: left out. To see them: --state paused`,
    );
  return exit;
}

type Finish = (items: readonly ListItem[]) => Promise<readonly ListItem[]>;

/** How the rows of one account are read: what the service filters, and then what Herald leaves out. */
async function makeReader(context: Context, service: Service, definition: ListDefinition, given: Given) {
  const nowMs = context.clock.now() + service.client.skewMs();
  const creator = await resolveCreators(service, given.creator);
  // Archived ones have a state as well.
  const archived = given.archived === true || given.state !== undefined;
  const queries = buildQueries(definition, { ...given, creator, archived }, nowMs);
  explainRange(context, definition, given, queries[0]);
  const kept = keepRange(definition, given, nowMs);
  // Rows that are left out here do not count.
  const limit = kept === null && given.state === undefined ? given.limit : undefined;
  return async function* (owner: Owner, options: Omit<ReadOptions, 'queries' | 'limit'>, finish: Finish) {
    for await (const items of readOwner(service, definition, owner, { ...options, queries, limit })) {
      yield await finish(kept === null ? items : items.filter(kept.isInside));
      // What follows is older still.
      if (kept?.endsList === true && given.order !== 'asc' && items.some(kept.isBefore)) return;
    }
  };
}

/** The rows of a range that the service does not take. Null where it does, and without `--from` and `--to`. */
function keepRange({ range }: ListDefinition, given: Given, nowMs: number) {
  if (range === undefined || !('members' in range)) return null;
  // A broadcast may be scheduled long after now.
  const { from, to } = givenRange(given, nowMs, Number.POSITIVE_INFINITY);
  if (from === undefined && to === undefined) return null;
  const [fromMs, toMs] = [Date.parse(from ?? '0000-01-01'), Date.parse(to ?? '9999-12-31')];
  const readMs = (item: ListItem) => {
    const value = range.members.map((member) => item[member]).find((one) => typeof one === 'string');
    return Date.parse(typeof value === 'string' ? value : '');
  };
  return {
    // A row without a time may be inside.
    isInside: (item: ListItem) => !(readMs(item) < fromMs || readMs(item) > toMs),
    isBefore: (item: ListItem) => readMs(item) < fromMs,
    endsList: range.newestFirst === true,
  };
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

/** Creators may be aliases and groups of the workspace, and several in one value. */
async function resolveCreators(service: Service, creator: FilterValue): Promise<FilterValue> {
  if (creator === undefined || typeof creator === 'boolean') return creator;
  const given = [creator].flat().flatMap((value) => value.split(',').map((one) => one.trim()));
  const [ids, names] = [true, false].map((isId) => given.filter((one) => /^\d*$/.test(one) === isId));
  const accounts =
    names?.length === 0 ? [] : await chooseAccounts(service, names ?? [], { anyPlatform: true });
  return [...(ids ?? []), ...accounts.map(({ accountId }) => accountId)];
}

function explainRange(
  { output }: Context,
  { range }: ListDefinition,
  { from }: Given,
  query: Readonly<Record<string, unknown>> = {},
): void {
  if (range === undefined || 'members' in range || !range.required || from !== undefined) return;
  const ends = `from ${String(query[range.from])} to ${String(query[range.to])}`;
  const what = `${range.of.charAt(0).toUpperCase()}${range.of.slice(1)}`;
  output.say(visibleProse(`${what} ${ends}: ${DEFAULT_RANGE_DAYS} days, because --from was not given.`));
}

export function finishRows(
  sources: Sources,
  columns: readonly ListColumn[],
  { state, isFolding }: { readonly state: string | undefined; readonly isFolding: boolean },
) {
  const paths = columns.filter(({ lookedUp }) => lookedUp === true).map(({ path }) => path);
  const lookUp = async (path: string) => (await LOOK_UPS[path]?.(sources)) ?? (() => null);
  const open = async () => ({
    found: await Promise.all(paths.map(async (path) => [path, await lookUp(path)] as const)),
    readState: state === undefined ? null : await lookUp('state'),
    isReplaced:
      isFolding && state === undefined && paths.includes('state') ? await findReplaced(sources) : null,
  });
  let opened: ReturnType<typeof open> | null = null;
  let folded = 0;
  return {
    finish: async (items: readonly ListItem[]): Promise<readonly ListItem[]> => {
      if (items.length === 0 || (paths.length === 0 && state === undefined)) return items;
      const { found, readState, isReplaced } = await (opened ??= open());
      const wanted = items.filter((item) => readState === null || readState(item) === state);
      const rest = wanted.filter((item) => isReplaced?.(item) !== true);
      folded += wanted.length - rest.length;
      return rest.map((item) => ({
        ...item,
        ...Object.fromEntries(found.map(([path, find]) => [path, find(item)])),
      }));
    },
    countFolded: () => folded,
  };
}

/** What the service does not say of a row, by the paths of the columns that show it. */
const LOOK_UPS: Readonly<Record<string, LookUp>> = {
  user_name: findMembers,
  creators: findCreators,
  current: findCurrent,
  state: findStates,
};

interface Sources {
  readonly context: Context;
  readonly service: Service;
  /** The accounts of the list, with their ids as far as they are known. */
  readonly accounts: readonly { readonly alias: string; readonly accountId: string | null }[];
  readonly warn: (sentence: string) => void;
}

/** Reads what it needs, once for all rows of a list, and returns how to find the value of a row. */
type LookUp = (sources: Sources) => Promise<(item: ListItem) => unknown>;

/** Members by their ids, from their list. Without it, figures are shown without names. */
async function findMembers({ service: { client }, warn }: Sources): Promise<(item: ListItem) => unknown> {
  const names = new Map<string, string>();
  try {
    for await (const page of readPages(client, 'team.members', { params: {} }))
      for (const { id, name, customName } of page) {
        const known = [customName, name].find((one) => typeof one === 'string' && one !== '');
        if (typeof known === 'string') names.set(String(id), known);
      }
  } catch (error) {
    if (!isUnread(error)) throw error;
    warn(`The names of members could not be read: ${error.message}`);
  }
  return (item) => names.get(String(item['user_id'])) ?? null;
}

async function findCreators({ service: { settings } }: Sources): Promise<(item: ListItem) => unknown> {
  const aliases = new Map(
    settings.accounts.flatMap(({ alias, selector }) =>
      selector.by === 'id' ? [[selector.value, alias] as const] : [],
    ),
  );
  return ({ creator_ids: ids }) =>
    (Array.isArray(ids) ? ids.map(String) : []).map((id) => aliases.get(id) ?? id);
}

/**
 * Which campaign of a name is the one to go on with: `file` if its content on record is that of the file, else `newest` for the
 * newest on record. It costs no request: what was declared for each is in the state, and the files are here. A campaign that is not
 * on record has no word.
 */
async function findCurrent(sources: Sources): Promise<(item: ListItem) => unknown> {
  const objects = await readObjects(sources, 'campaign');
  const digests = objects.length === 0 ? new Map<string, string>() : await readDigests(sources);
  const current = new Map<string, string>();
  for (const versions of groupBy(objects, ({ account, name }) => `${account}/campaign/${name}`).values()) {
    const newestFirst = versions.toSorted((left, right) => right.first_seq - left.first_seq);
    const declared = newestFirst.find(
      ({ account, name, declared_digest: digest }) =>
        digest !== null && digests.get(`${account}/campaign/${name}`) === digest,
    );
    const chosen = declared ?? newestFirst[0];
    if (chosen !== undefined)
      current.set(nameRow(chosen.account, chosen.live_id), declared ? 'file' : 'newest');
  }
  return ({ account, id }) => current.get(nameRow(account, id)) ?? null;
}

/** The words of `--state`. */
export const STATES = ['waiting', 'sending', 'paused', 'finished', 'recalled', 'archived'] as const;

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

/** An archived broadcast that still has its hour never left (BROADCAST-11). Only the state knows that one was recalled. */
async function findStates(sources: Sources): Promise<(item: ListItem) => unknown> {
  const objects = await readObjects(sources, 'broadcast');
  const recalled = new Set(
    objects.filter((one) => one.recalled === 1).map((one) => nameRow(one.account, one.live_id)),
  );
  return ({ account, id, status, scheduled_at: hour }) => {
    if (recalled.has(nameRow(account, id))) return 'recalled';
    const word = STATE_WORDS[broadcastStatusOf({ status: typeof status === 'string' ? status : null })];
    return word === 'archived' && hour == null ? 'finished' : word;
  };
}

/** Broadcasts that an apply paused because it made another one in their place: the file was moved or changed. */
async function findReplaced(sources: Sources): Promise<(item: ListItem) => boolean> {
  const objects = await readObjects(sources, 'broadcast');
  const replaced = new Set(
    objects.filter((one) => one.replaced_by !== null).map((one) => nameRow(one.account, one.live_id)),
  );
  return ({ account, id, status }) => status === 'paused' && replaced.has(nameRow(account, id));
}

function nameRow(account: unknown, id: unknown): string {
  return JSON.stringify([account, id]);
}

/** The objects on record, with the names of their accounts in this list. A state that cannot be read names none. */
async function readObjects(
  { context, service: { client }, accounts }: Sources,
  kind: Kind,
): Promise<readonly (ObjectRow & { readonly account: string })[]> {
  const aliases = new Map(accounts.map(({ alias, accountId }) => [accountId ?? '', alias]));
  try {
    const { objects } = await withState(
      context.state.read(() => nameService(client)),
      (state) => state.known([...aliases.keys()]),
    );
    return objects
      .filter((row) => row.kind === kind)
      .map((row) => ({ ...row, account: aliases.get(row.account_id) ?? row.account_id }));
  } catch (error) {
    if (hasCode(error, 'state-')) return [];
    throw error;
  }
}

/** The digest of what the files declare, by address. None if they have errors. */
async function readDigests({ context }: Sources): Promise<ReadonlyMap<string, string>> {
  const loaded = await declaredIn(context, context);
  const declared = loaded.kind === 'loaded' ? loaded.declared : [];
  return new Map(
    declared.map((one) => [`${one.address.account}/${one.kind}/${one.address.name}`, digestDeclared(one)]),
  );
}
