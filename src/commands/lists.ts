import { CATALOGUE, rowOf } from '../api/catalogue.ts';
import { IncompleteScanError, ServiceError } from '../api/errors.ts';
import { type ListDefinition, type ListName, findList, maskSecretUrls } from '../api/lists.ts';
import { type ListFacts, type ListInput, type ListOperation, type Place, readPages } from '../api/pages.ts';
import type { ListSource } from '../api/read-sources.ts';
import { FILTERS, type FilterDefinition, type FilterName } from '../api/row.ts';
import {
  type Service,
  chooseAccount,
  chooseAccounts,
  choosePlatformAccounts,
  warnOfMoved,
} from '../cli/accounts.ts';
import { typedOwned } from '../cli/addresses.ts';
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
  parseDigits,
  parseWholeNumber,
  parsedFlag,
  suggestedFlag,
  switchFlag,
  textFlag,
  textsFlag,
  word,
} from '../cli/flags.ts';
import { LIST_FORMATS, chooseFormat } from '../cli/formats.ts';
import { DEFAULT_RANGE_DAYS, type WrittenRange, fullRange, givenRange } from '../cli/instant-range.ts';
import { warningLine } from '../cli/notice.ts';
import { type ListItem, type PageFacts, chooseColumns, columnsFlag, streamRows } from '../cli/print-rows.ts';
import type { ExitCode } from '../domain/exit-codes.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { AccountId } from '../domain/ids.ts';
import { shown, visibleProse } from '../domain/visible.ts';
import type { ServiceSettings } from '../domain/workspace.ts';
import { type TargetOptions, otherPlatformBehind, unknownTarget } from '../live/accounts.ts';
import { count } from '../render/wording.ts';
import { finishRows, STATES } from './look-up.ts';

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
      const { printUpload } = await import('./vault.ts');
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
    pages: () => read(owner, { start, onFacts, onWarning: warn, onLeftOut: opened.onLeftOut }, finish),
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

/** The accounts of a list, and a list that fails for each account that the key does not see. */
export async function openOwners(
  context: Context,
  service: Service,
  definition: ListDefinition,
  given: GivenAccounts,
  warn: (sentence: string) => void = () => undefined,
) {
  const leaveOut = (sentence: string) => context.output.say(shown`Left out: ${visibleProse(sentence)}`);
  // An account that is named is refused.
  const onLeftOut = (given.accounts ?? []).length === 0 ? leaveOut : undefined;
  const unseen: ListSource<ListItem>[] = [];
  const owners = await chooseOwners(service, definition, given, {
    onLeftOut,
    onUnseen: (account, sentence) => void unseen.push(makeFailedSource(account, sentence)),
    onSame: warn,
  });
  const chosen = owners.map(({ account, accountId }) => ({ alias: account ?? '', accountId }));
  await warnOfMoved(context, service, chosen);
  return { owners, unseen, onLeftOut };
}

/** The list of an account that the key does not see. */
function makeFailedSource(account: string, sentence: string): ListSource<ListItem> {
  return {
    account,
    pages: async function* () {
      yield await Promise.reject<readonly ListItem[]>(unknownTarget([sentence]));
    },
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

/** What the flag of a filter reads as. */
type FilterValue = string | readonly string[] | boolean | undefined;

/** The flags that select rows of a list. */
type Selection = WrittenRange & Readonly<Partial<Record<FilterName, FilterValue>>>;

type Query = Readonly<Record<string, string | boolean | readonly string[]>>;

/**
 * The queries, without pages: usually one, several if there are more values than one request takes. Throws for values
 * that the service would refuse.
 */
export function buildQueries(
  { range, filters }: ListDefinition,
  given: Selection,
  nowMs: number,
): readonly Query[] {
  const first: Record<string, string> = {};
  if (range !== undefined && 'members' in range) givenRange(given, nowMs, Number.POSITIVE_INFINITY);
  if (range !== undefined && 'from' in range) {
    const { from, to } = range.required ? fullRange(given, nowMs) : givenRange(given, nowMs);
    if (from !== undefined) first[range.from] = from;
    if (to !== undefined) first[range.to] = to;
  }
  return filters
    .map((name) => splitFilter(FILTERS[name], given[name]))
    .reduce<readonly Query[]>(
      (queries, parts) => queries.flatMap((query) => parts.map((part) => ({ ...query, ...part }))),
      [first],
    );
}

/** The members of the query for one filter: one part, or one for each chunk of values. */
function splitFilter(filter: FilterDefinition, given: FilterValue): readonly Query[] {
  const { query, takes, most, inChunks = false } = filter;
  if (takes === 'switch') return [{ [query]: given === true }];
  if (given === undefined || typeof given === 'boolean') return [{}];
  const [flag = ''] = filter.flag.split(' ');
  // Remove repeated values, or their rows would appear once in each chunk.
  const values = [...new Set([given].flat())];
  if (values.length === 0) return [{}];
  // An empty value would be left out of the query, and select everything.
  if (values.includes('')) throw new HeraldError('bad-flag', `${flag} is empty.`);
  if (takes === 'text') return values.map((value) => ({ [query]: value }));
  const size = most ?? values.length;
  if (values.length > size && !inChunks)
    throw new HeraldError(
      'bad-flag',
      `${flag} was given ${values.length} times, and the service takes at most ${size}. Figures of several requests cannot be combined.`,
    );
  const chunks = Array.from({ length: Math.ceil(values.length / size) });
  return chunks.map((_, at) => ({ [query]: values.slice(at * size, (at + 1) * size) }));
}

/** The owner of some rows: an account, or the organisation. */
interface Owner {
  /** The account's alias. Null for the organisation. */
  readonly account: string | null;
  /** The account's id on the service, if it was looked up. */
  readonly accountId: AccountId | null;
  /** How the path of the endpoint names it. */
  readonly params: Readonly<Record<string, string>>;
}

/** Which accounts a command line names. */
interface GivenAccounts {
  readonly argument?: string | undefined;
  readonly account?: string | undefined;
  readonly accounts?: readonly string[] | undefined;
}

/** The owners that the command line names. Throws for an unknown account, or one without such rows. */
async function chooseOwners(
  service: Service,
  { argument, who, bothPlatforms }: ListDefinition,
  given: GivenAccounts,
  options: TargetOptions,
): Promise<readonly Owner[]> {
  const { accounts = [] } = given;
  if (argument !== undefined) {
    const owned = typedOwned(given.argument ?? '', argument.addressWord ?? null, given.account);
    const { alias, accountId } = await chooseAccount(service, owned.account);
    return [{ account: alias, accountId, params: { account_id: accountId, [argument.param]: owned.id } }];
  }
  switch (who) {
    case 'organisation':
      return [{ account: null, accountId: null, params: {} }];
    case 'account':
      return (await chooseAccounts(service, accounts, options)).map(({ alias, accountId }) => ({
        account: alias,
        accountId,
        params: { account_id: accountId },
      }));
    case 'platform': {
      const { primary, secondary } = service.settings.service.platforms;
      const platforms = bothPlatforms === true ? [primary, secondary] : [primary];
      const chosen = await choosePlatformAccounts(service, accounts, platforms, options);
      return chosen.map(({ alias, accountId, platform, platformAccountId }) => ({
        account: alias,
        accountId,
        params: { platform, platform_account_id: platformAccountId },
      }));
    }
  }
}

interface ReadOptions {
  readonly queries: readonly Query[];
  readonly limit: number | undefined;
  /** The position of the first page. */
  readonly start: Place;
  /** Told of what replies say about the list of one account. */
  readonly onFacts: (account: string | null, facts: ListFacts) => void;
  readonly onWarning: (sentence: string) => void;
  /** Told of an account of another platform, which is left out. Without it, the account is refused. */
  readonly onLeftOut?: ((sentence: string) => void) | undefined;
}

/** The rows of one owner, page by page, as items to show. */
export async function* readOwner(
  {
    client,
    settings,
  }: Pick<Service, 'client'> & {
    readonly settings: { readonly service: Pick<ServiceSettings, 'platforms'> };
  },
  definition: ListDefinition,
  owner: Owner,
  options: ReadOptions,
): AsyncGenerator<readonly ListItem[], void> {
  const { account, accountId } = owner;
  try {
    for (const query of options.queries)
      for await (const page of readAnswers(client, definition, owner, { ...options, query }))
        yield page.map((item) => nameOwner(definition, account, item));
  } catch (error) {
    if (account === null || accountId === null) throw error;
    const { primary } = settings.service.platforms;
    const elsewhere = await otherPlatformBehind(client, error, { alias: account, accountId }, primary);
    if (elsewhere === null || options.onLeftOut === undefined) throw elsewhere ?? error;
    options.onLeftOut(elsewhere.message);
  }
}

/** The pages as the service answers them. A list of which rows may be missing fails after its rows. */
async function* readAnswers(
  client: Service['client'],
  { operation }: ListDefinition,
  { account, params }: Owner,
  { query, limit, start, onFacts, onWarning }: ReadOptions & { readonly query: Query },
): AsyncGenerator<readonly unknown[], void> {
  if (operation === 'payouts.balances') {
    const answer = await client.prepareRow(operation, rowOf(operation), { params })();
    if (answer.kind !== 'done') throw new ServiceError(answer.problem);
    yield [answer.reply];
    return;
  }
  const doubts: string[] = [];
  // Untyped, because the operations differ. The row's own shape checks the input before it is sent.
  yield* readPages<ListOperation>(client, operation, { params, query } as ListInput<ListOperation>, {
    ...(limit === undefined ? {} : { limit }),
    start,
    asAnswered: true,
    onWarning,
    onDoubt: (sentence) => void doubts.push(sentence),
    onFacts: (facts) => onFacts(account, facts),
  });
  const [first] = doubts;
  if (first !== undefined) throw new IncompleteScanError(first);
}

/** The service's members after the account. Presigned URLs are cut, because they work as a key. */
function nameOwner(definition: ListDefinition, account: string | null, item: unknown): ListItem {
  const { bareItem } = definition;
  const owner = account === null ? {} : { account };
  const members = bareItem === undefined ? (item as ListItem) : { [bareItem]: item };
  // First for the order, last so that a member of the same name cannot replace it.
  return maskSecretUrls(definition, { ...owner, ...members, ...owner });
}
